import type { FailureClass } from '../../core/failure.ts'
import type { HttpError } from '../../world/http.ts'
import type { ProviderError } from './provider-error.ts'

export interface Failure {
  /** Undefined for an error inside an answer that began well. */
  status?: number
  error?: ProviderError
}

/**
 * The class of a provider's refusal. Its own code decides, then the known wording of
 * its error message, then the status. Only the error object is read, never an answer
 * or a request: a text that quotes an error is no error.
 */
export function classify({ status, error }: Failure): FailureClass {
  return (error && (byCode(error) ?? byWording(error, status))) ?? byStatus(status)
}

/** No answer came, or it broke off. */
export function classifyHttp({ kind }: HttpError): FailureClass {
  return httpClasses[kind]
}

const httpClasses = {
  connect: 'timeout',
  idle: 'timeout',
  total: 'timeout',
  network: 'network',
  'too-large': 'server',
  aborted: 'aborted',
  'bad-url': 'format',
} as const satisfies Record<HttpError['kind'], FailureClass>

/** Codes and types as providers document them, in lower case. */
const codes: Readonly<Record<string, FailureClass>> = {
  insufficient_quota: 'billing',
  billing_hard_limit_reached: 'billing',
  billing_not_active: 'billing',
  billing_error: 'billing',
  exceeded_current_quota_error: 'billing',
  insufficient_balance: 'billing',
  arrearage: 'billing',
  invalid_api_key: 'auth',
  authentication_error: 'auth',
  invalid_authentication_error: 'auth',
  incorrect_api_key_error: 'auth',
  permission_error: 'auth',
  permission_denied: 'auth',
  unauthenticated: 'auth',
  account_deactivated: 'auth',
  unsupported_country_region_territory: 'auth',
  rate_limit_exceeded: 'rate-limit',
  rate_limit_error: 'rate-limit',
  rate_limit_reached_error: 'rate-limit',
  resource_exhausted: 'rate-limit',
  throttling: 'rate-limit',
  'throttling.ratequota': 'rate-limit',
  'throttling.allocationquota': 'rate-limit',
  limit_requests: 'rate-limit',
  overloaded_error: 'overloaded',
  engine_overloaded_error: 'overloaded',
  engine_overloaded: 'overloaded',
  server_overloaded: 'overloaded',
  slow_down: 'overloaded',
  unavailable: 'overloaded',
  api_error: 'server',
  server_error: 'server',
  internal_error: 'server',
  internal_server_error: 'server',
  timeout_error: 'timeout',
  timeout: 'timeout',
  deadline_exceeded: 'timeout',
  context_length_exceeded: 'context-overflow',
  exceed_context_size_error: 'context-overflow',
  request_too_large: 'context-overflow',
  model_not_found: 'model-not-found',
  model_not_exist: 'model-not-found',
  modelnotfound: 'model-not-found',
  content_filter: 'refusal',
  content_policy_violation: 'refusal',
  data_inspection_failed: 'refusal',
  datainspectionfailed: 'refusal',
  invalid_prompt: 'refusal',
}

function byCode({ code, type }: ProviderError): FailureClass | undefined {
  return codes[code.toLowerCase()] ?? codes[type.toLowerCase()]
}

/** The beginnings of messages whose code says less than they do. A quoted text never begins a message. */
const wordings: readonly (readonly [RegExp, FailureClass])[] = [
  [/^(this|the) (model|endpoint)'s maximum context length is \d/i, 'context-overflow'],
  [/^prompt is too long\b/i, 'context-overflow'],
  [/^input length and `?max_tokens`? exceed context limit/i, 'context-overflow'],
  [/^your input exceeds the context window of this model/i, 'context-overflow'],
  [/^(invalid request: )?your request exceeded model token limit/i, 'context-overflow'],
  [
    /^(<[^>]*> )?(internalerror\.algo\.invalidparameter: )?range of input length should be/i,
    'context-overflow',
  ],
  [/^the input token count \(?\d+\)? exceeds the maximum number of tokens/i, 'context-overflow'],
  [/^the request exceeds the available context size/i, 'context-overflow'],
  [/^(the )?input (length|tokens?) \(?\d+\)? exceeds/i, 'context-overflow'],
  [/^your credit balance is too low/i, 'billing'],
  [/^insufficient (balance|credits?|funds)\b/i, 'billing'],
  [/^you exceeded your current quota/i, 'billing'],
  [/^(model|the model:?) ["'`]?[^\s"'`]+["'`]? (not found|does not exist|is not found)/i, 'model-not-found'],
  [/^model: \S+$/i, 'model-not-found'],
  [/^no endpoints found for /i, 'model-not-found'],
]

function byWording({ message }: ProviderError, status: number | undefined): FailureClass | undefined {
  if (status !== undefined && (status === 401 || status >= 502)) return undefined
  return wordings.find(([beginning]) => beginning.test(message.trim()))?.[1]
}

const statuses: Readonly<Record<number, FailureClass>> = {
  401: 'auth',
  402: 'billing',
  403: 'auth',
  407: 'network',
  408: 'timeout',
  409: 'server',
  413: 'context-overflow',
  425: 'server',
  429: 'rate-limit',
  503: 'overloaded',
  504: 'timeout',
  524: 'timeout',
  529: 'overloaded',
}

/** A 404 without a word of a model is a wrong address: `format`, which blames nobody else. */
function byStatus(status: number | undefined): FailureClass {
  if (status === undefined) return 'server'
  return statuses[status] ?? (status >= 500 ? 'server' : 'format')
}
