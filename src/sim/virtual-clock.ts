import { type Millis, fromIso } from '../core/millis.ts'
import { type LocalTime, localTime } from '../core/zone.ts'
import type { Clock } from '../world/clock.ts'

/** Time that stands still until told: a sleep passes at once. */
export class VirtualClock implements Clock {
  /** Every sleep that was asked for, in milliseconds. */
  readonly sleeps: number[] = []
  #now: Millis
  #elapsedMs = 0
  readonly #timers = new Set<{ dueMs: number; fire: () => void }>()

  /** An ISO instant or milliseconds since the epoch. */
  constructor(start: string | Millis = '2026-03-02T00:00:00Z') {
    this.#now = toMillis(start)
  }

  now(): Millis {
    return this.#now
  }

  local(at: Millis, timeZone: string): LocalTime {
    return localTime(at, timeZone)
  }

  elapsed(): number {
    return this.#elapsedMs
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.sleeps.push(ms)
    this.#passUntil(this.#elapsedMs + Math.max(0, ms), signal)
  }

  timer(ms: number, fire: () => void): () => void {
    const timer = { dueMs: this.#elapsedMs + ms, fire }
    this.#timers.add(timer)
    return () => void this.#timers.delete(timer)
  }

  advance(ms: number): void {
    this.#passUntil(this.#elapsedMs + ms)
  }

  /** A step of the wall clock, back as well; `elapsed` does not see it. */
  set(at: string | Millis): void {
    this.#now = toMillis(at)
  }

  /** From timer to timer; a sleep that one of them aborts ends there. */
  #passUntil(endMs: number, signal?: AbortSignal): void {
    for (;;) {
      if (this.#elapsedMs >= endMs || signal?.aborted) return
      const due = [...this.#timers].filter(({ dueMs }) => dueMs <= endMs).sort((a, b) => a.dueMs - b.dueMs)[0]
      const ms = Math.max(0, (due?.dueMs ?? endMs) - this.#elapsedMs)
      this.#now += ms
      this.#elapsedMs += ms
      if (due && this.#timers.delete(due)) due.fire()
    }
  }
}

function toMillis(at: string | Millis): Millis {
  const millis = typeof at === 'string' ? fromIso(at) : at
  if (millis === undefined) throw new Error(`not an instant: ${at}`)
  return millis
}
