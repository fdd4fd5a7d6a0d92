import type { Millis } from '../core/millis.ts'

export interface Clock {
  now(): Millis
  /** Monotonic milliseconds, for durations only; blind to clock steps. */
  elapsed(): number
  /** Resolves after `ms`, or at once (without throwing) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
}
