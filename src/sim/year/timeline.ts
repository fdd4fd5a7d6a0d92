import type { Millis } from '../../core/millis.ts'
import type { ProcessClock } from './process-clock.ts'

/** Something that is to happen when so much time has passed. */
export interface Wait {
  dueMs: number
  owner: ProcessClock
  fire: () => void
}

/** Time of one simulated machine: what has passed, and what its wall clock shows. */
export class Timeline {
  /** Of the monotonic clock, which stands still while the machine sleeps. */
  elapsedMs = 0
  #offset: Millis
  #stepMs = 0
  readonly #waits = new Set<Wait>()

  constructor(start: Millis) {
    this.#offset = start
  }

  /** As processes read it. */
  wall(): Millis {
    return this.#offset + this.#stepMs + this.elapsedMs
  }

  /** As it would be had nobody set the clock. */
  trueTime(): Millis {
    return this.#offset + this.elapsedMs
  }

  /** Somebody sets the clock this far from the true time; zero puts it right. */
  step(stepMs: number): void {
    this.#stepMs = stepMs
  }

  /** The machine sleeps: the wall clock goes on, and nothing else. */
  suspend(ms: number): void {
    this.#offset += ms
  }

  add(wait: Wait): Wait {
    this.#waits.add(wait)
    return wait
  }

  remove(wait: Wait): void {
    this.#waits.delete(wait)
  }

  /** The next thing that is due up to then, taken out, and the time is that of it; undefined when there is none. */
  take(untilMs: number): Wait | undefined {
    let next: Wait | undefined
    for (const wait of this.#waits)
      if (wait.dueMs <= untilMs && (!next || wait.dueMs < next.dueMs)) next = wait
    if (!next) return undefined
    this.#waits.delete(next)
    this.elapsedMs = Math.max(this.elapsedMs, next.dueMs)
    return next
  }
}
