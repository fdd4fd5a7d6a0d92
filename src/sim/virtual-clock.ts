import { type Millis, fromIso } from '../core/millis.ts'
import { type LocalTime, localTime } from '../core/zone.ts'
import type { Clock } from '../world/clock.ts'

/** Time that stands still until told: a sleep passes at once. */
export class VirtualClock implements Clock {
  /** Every sleep that was asked for, in milliseconds. */
  readonly sleeps: number[] = []
  #now: Millis
  #elapsedMs = 0

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
    if (!signal?.aborted) this.advance(Math.max(0, ms))
  }

  advance(ms: number): void {
    this.#now += ms
    this.#elapsedMs += ms
  }

  /** A step of the wall clock, back as well; `elapsed` does not see it. */
  set(at: string | Millis): void {
    this.#now = toMillis(at)
  }
}

function toMillis(at: string | Millis): Millis {
  const millis = typeof at === 'string' ? fromIso(at) : at
  if (millis === undefined) throw new Error(`not an instant: ${at}`)
  return millis
}
