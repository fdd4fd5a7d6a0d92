import { hourMs, minuteMs } from './millis.ts'

/** Why a model did not answer. One table says what each class does. */
export type FailureClass =
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'timeout'
  | 'network'
  | 'billing'
  | 'auth'
  | 'format'
  | 'context-overflow'
  | 'model-not-found'
  | 'refusal'
  | 'empty'
  | 'truncated'
  | 'aborted'

export interface FailureRule {
  /** Same model again (after a back-off), the next model, compact and repeat, or end the run. */
  does: 'retry' | 'next' | 'compact' | 'stop'
  /** Tries on one model before the chain moves on; 1 means none again. */
  tries: number
  /** Who rests after the last try: this model, the credential behind it, or nobody. */
  cools: 'model' | 'credential' | 'nobody'
  /** First rest; it doubles with each failure in a row up to `coolMaxMs`. */
  coolMs: number
  coolMaxMs: number
}

/** Sources: shared/reference/openclaw-formats.md sections 3.4 and 10, pitfalls.md section 7. */
export const failureRules: Readonly<Record<FailureClass, FailureRule>> = {
  'rate-limit': { does: 'retry', tries: 2, cools: 'model', coolMs: minuteMs, coolMaxMs: 5 * minuteMs },
  overloaded: { does: 'retry', tries: 2, cools: 'model', coolMs: minuteMs / 2, coolMaxMs: 5 * minuteMs },
  server: { does: 'retry', tries: 2, cools: 'model', coolMs: minuteMs / 2, coolMaxMs: 5 * minuteMs },
  timeout: { does: 'next', tries: 1, cools: 'model', coolMs: minuteMs / 2, coolMaxMs: 5 * minuteMs },
  network: { does: 'retry', tries: 2, cools: 'model', coolMs: minuteMs / 2, coolMaxMs: 5 * minuteMs },
  billing: { does: 'next', tries: 1, cools: 'credential', coolMs: 5 * hourMs, coolMaxMs: 24 * hourMs },
  auth: { does: 'next', tries: 1, cools: 'credential', coolMs: 10 * minuteMs, coolMaxMs: hourMs },
  format: { does: 'next', tries: 1, cools: 'nobody', coolMs: 0, coolMaxMs: 0 },
  'context-overflow': { does: 'compact', tries: 1, cools: 'nobody', coolMs: 0, coolMaxMs: 0 },
  'model-not-found': { does: 'next', tries: 1, cools: 'model', coolMs: hourMs, coolMaxMs: 24 * hourMs },
  refusal: { does: 'stop', tries: 1, cools: 'nobody', coolMs: 0, coolMaxMs: 0 },
  empty: { does: 'retry', tries: 2, cools: 'nobody', coolMs: 0, coolMaxMs: 0 },
  truncated: { does: 'next', tries: 1, cools: 'nobody', coolMs: 0, coolMaxMs: 0 },
  aborted: { does: 'stop', tries: 1, cools: 'nobody', coolMs: 0, coolMaxMs: 0 },
}

/** Longest wait for a Retry-After inside one run; a longer one becomes a cooldown. */
export const retryAfterMaxMs = minuteMs
