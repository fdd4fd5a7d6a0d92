import type { modelApis } from '../core/config.ts'
import type { FailureClass } from '../core/failure.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import type { AssistantMessage, Message, Usage } from '../core/message.ts'

export type ModelApi = (typeof modelApis)[number] | 'offline'

/** One link of a chain, resolved from `claw.yaml`. Secrets are already substituted. */
export interface ModelLink {
  /** `provider/model`, as the chain names it. */
  ref: string
  provider: string
  model: string
  api: ModelApi
  baseUrl: string
  apiKey: string | undefined
  headers: Readonly<Record<string, string>>
  /** Tokens. */
  window: number
  maxOutput: number
  /** US dollars for a million tokens; undefined when unknown. */
  price: { in: number; out: number; cacheRead?: number; cacheWrite?: number } | undefined
}

export interface ToolSpec {
  name: string
  description: string
  parameters: JsonSchema
}

export interface AskLimits {
  connectMs: number
  idleMs: number
  totalMs: number
}

export interface Ask {
  link: ModelLink
  system: string
  messages: readonly Message[]
  tools: readonly ToolSpec[]
  maxOutputTokens: number
  limits: AskLimits
  signal?: AbortSignal
  /** Called with each piece of visible text as it streams in. */
  onText?: (delta: string) => void
}

export type Reply =
  | { kind: 'answered'; message: AssistantMessage }
  | {
      kind: 'refused'
      why: FailureClass
      /** One line, secrets scrubbed by the caller; from the structured error where there is one. */
      detail: string
      /** HTTP status where there was one. */
      status?: number
      retryAfterMs?: number
      /** What the provider says was used all the same. */
      usage?: Usage
      /** Cut or partial text, kept aside for people; never an answer. */
      partial?: string
    }

/** Never rejects for a model or network failure; that is a `refused`. */
export type AskModel = (ask: Ask) => Promise<Reply>
