import { isObject } from '../../core/json-schema.ts'
import { textAt } from './json.ts'

/** The structured error of a provider. Empty fields where it gave none. */
export interface ProviderError {
  code: string
  type: string
  message: string
}

/**
 * Undefined when `value` is no error object. Read are `{error: {...}}` (OpenAI,
 * Anthropic and most others), `{error: "text"}` (Ollama), a list around either
 * (Gemini's compatible end point), `{object: "error"}` (vLLM), `{code, message}`
 * and `{detail}`.
 */
export function decodeProviderError(value: unknown): ProviderError | undefined {
  if (Array.isArray(value)) return decodeProviderError(value[0])
  if (!isObject(value)) return undefined
  const { error, detail } = value
  if (typeof error === 'string')
    return { code: textAt(value, 'code'), type: '', message: error || textAt(value, 'message') }
  if (isObject(error)) return fields(error)
  if (typeof detail === 'string') return { code: '', type: '', message: detail }
  const isError = value['object'] === 'error' || value['type'] === 'error' || 'code' in value
  return isError && typeof value['message'] === 'string' ? fields(value) : undefined
}

function fields(error: Record<string, unknown>): ProviderError {
  const { code, type, status } = error
  return {
    code: typeof code === 'string' ? code : typeof status === 'string' ? status : '',
    type: typeof type === 'string' ? type : '',
    message: textAt(error, 'message'),
  }
}
