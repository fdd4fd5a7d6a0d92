import type { Millis } from '../core/millis.ts'
import type { LocalTime } from '../core/zone.ts'

export interface Clock {
  now(): Millis
  /** What people in this IANA zone read on the clock at that moment. */
  local(at: Millis, timeZone: string): LocalTime
  /** Monotonic milliseconds, for durations only; blind to clock steps. */
  elapsed(): number
  /** Resolves after `ms`, or at once (without throwing) when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /**
   * Calls `fire` once `ms` have passed, unless the returned function was called
   * before. Nobody waits for it: virtual time passes by sleeps alone.
   */
  timer(ms: number, fire: () => void): () => void
}
