import { type Millis } from '../../core/millis.ts'
import { type LocalTime, localTime } from '../../core/zone.ts'
import type { Clock } from '../../world/clock.ts'
import type { Timeline, Wait } from './timeline.ts'

/** The clock of one simulated process: a sleep ends when the time of the machine has come that far. */
export class ProcessClock implements Clock {
  /** Sleeps that go on, and children that are waited for. */
  waiting = 0
  readonly #timeline: Timeline
  readonly #waits = new Set<Wait>()

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  now(): Millis {
    return this.#timeline.wall()
  }

  local(at: Millis, timeZone: string): LocalTime {
    return localTime(at, timeZone)
  }

  elapsed(): number {
    return this.#timeline.elapsedMs
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return this.blocked(
      new Promise(resolve => {
        const wait = this.#add(ms, () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        })
        const abort = (): void => {
          this.#drop(wait)
          resolve()
        }
        signal?.addEventListener('abort', abort, { once: true })
      }),
    )
  }

  timer(ms: number, fire: () => void): () => void {
    const wait = this.#add(ms, fire)
    return () => this.#drop(wait)
  }

  /** Until the promise ends, this process counts as one that waits. */
  async blocked<T>(promise: Promise<T>): Promise<T> {
    this.waiting += 1
    try {
      return await promise
    } finally {
      this.waiting -= 1
    }
  }

  /** The process is gone: nothing wakes it any more. */
  stop(): void {
    for (const wait of this.#waits) this.#drop(wait)
  }

  #add(ms: number, fire: () => void): Wait {
    const wait = this.#timeline.add({
      dueMs: this.#timeline.elapsedMs + Math.max(0, ms),
      owner: this,
      fire: () => {
        this.#waits.delete(wait)
        fire()
      },
    })
    this.#waits.add(wait)
    return wait
  }

  #drop(wait: Wait): void {
    this.#waits.delete(wait)
    this.#timeline.remove(wait)
  }
}
