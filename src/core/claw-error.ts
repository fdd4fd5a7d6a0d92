/** Exit codes of every command (DESIGN section 5). Cron sees nothing else of a run. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  timedOut: 3,
  rejected: 4,
  waiting: 5,
  busy: 6,
  /** fsync and the roll-back both failed: repeating the same id is safe. */
  notKnown: 74,
  /** Disk full or I/O error: nothing changed, try again. */
  notRecorded: 75,
} as const

export type ExitName = keyof typeof exitCodes

/** Every expected problem has one of these codes; each code has one exit code. */
const exitOf = {
  usage: 'usage',
  'config-invalid': 'usage',
  'not-found': 'usage',
  'policy-refused': 'failed',
  corrupt: 'failed',
  conflict: 'failed',
  network: 'failed',
  'model-failed': 'failed',
  'timed-out': 'timedOut',
  rejected: 'rejected',
  waiting: 'waiting',
  busy: 'busy',
  'lease-lost': 'busy',
  'not-known': 'notKnown',
  'not-recorded': 'notRecorded',
} as const satisfies Record<string, ExitName>

export type ErrorCode = keyof typeof exitOf

export interface ErrorDetail {
  /** What the person can do next, one short sentence. */
  hint?: string
  cause?: unknown
}

/**
 * A problem that a person can act on: one line, one exit code. Bugs are plain
 * errors and keep their stack.
 */
export class ClawError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined

  constructor(code: ErrorCode, message: string, { hint, cause }: ErrorDetail = {}) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ClawError'
    this.code = code
    this.hint = hint
  }

  get exitCode(): number {
    return exitCodes[exitOf[this.code]]
  }
}

export function isClawError(error: unknown, ...codes: ErrorCode[]): error is ClawError {
  return error instanceof ClawError && (codes.length === 0 || codes.includes(error.code))
}
