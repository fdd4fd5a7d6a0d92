import { uuidV7 } from '../world/uuid-v7.ts'
import type { Millis } from '../core/millis.ts'
import type { Random } from '../world/random.ts'

const hexDigits = '0123456789abcdef'

/** Mulberry32: the same seed gives the same ids for ever. */
export class SeededRandom implements Random {
  #state: number
  readonly #now: () => Millis

  constructor(seed = 1, now: () => Millis = () => 0) {
    this.#state = seed >>> 0
    this.#now = now
  }

  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  hex(length: number): string {
    let digits = ''
    for (let count = 0; count < length; count++) digits += hexDigits[Math.floor(this.fraction() * 16)]!
    return digits
  }

  uuid(): string {
    return uuidV7(this.#now(), this.hex(20))
  }
}
