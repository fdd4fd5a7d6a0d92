import type { FaultKind } from '../disk-fault.ts'
import type { PowerLoss } from '../mem-inode.ts'
import { SeededRandom } from '../seeded-random.ts'
import { hourMs, minuteMs } from '../../core/millis.ts'
import { seedOf } from './seed-of.ts'

export const faultLevels = ['none', 'light', 'heavy'] as const
export type FaultLevel = (typeof faultLevels)[number]

export type ModelFault =
  | 'refuses'
  | 'rate-limit'
  | 'stalls'
  | 'empty'
  | 'malformed'
  | 'breaks-contract'
  | 'silent'
export type ChannelFault = 'lost-arrived' | 'lost' | 'refused'

/** What goes wrong in one process. */
export interface ProcessFaults {
  /** For the figures; undefined when nothing does. */
  name?: string
  disk?: { at: number; kind: FaultKind; power?: PowerLoss }
  model?: ModelFault
  channel?: ChannelFault
  /** The line fires a second time in the same minute. */
  isDoubled?: boolean
}

/** What goes wrong with the host, `atMs` after the beginning of the day. */
export type HostFault = { atMs: number } & (
  | { kind: 'sleep'; ms: number }
  /** The clock is set so far off, and put right after `ms`. */
  | { kind: 'clock-step'; stepMs: number; ms: number }
  | { kind: 'disk-full'; ms: number }
  | { kind: 'power-cut'; loss: PowerLoss; ms: number }
)

interface Rates {
  /** Share of the runs in which something goes wrong. */
  run: number
  tick: number
  /** Share of the days on which the host has a fault. */
  day: number
}

/** Of some 98 runs and 150 ticks a day: about one fault a day, and one in three runs. */
const rates: Readonly<Record<FaultLevel, Rates>> = {
  none: { run: 0, tick: 0, day: 0 },
  light: { run: 0.005, tick: 0.001, day: 0.35 },
  heavy: { run: 1 / 3, tick: 1 / 50, day: 1 },
}

const losses: readonly PowerLoss[] = ['power', 'power-entries', 'power-torn']
const kills: readonly FaultKind[] = ['kill', 'kill-after', 'torn']
const errors: readonly FaultKind[] = ['ENOSPC', 'EIO', 'EDQUOT', 'short']
const modelFaults: readonly ModelFault[] = [
  'refuses',
  'rate-limit',
  'stalls',
  'empty',
  'malformed',
  'breaks-contract',
  'silent',
]
const channelFaults: readonly ChannelFault[] = ['lost-arrived', 'lost', 'refused']

/** Most runs and ticks make about so many disk calls, reads included; a place beyond the last one strikes nothing. */
const callsOfRun = 240
const callsOfTick = 130

/** All that goes wrong on one day, from its seed alone: a shorter or longer simulation has the same days. */
export class FaultTable {
  readonly #rates: Rates
  readonly #seed: number
  #random: SeededRandom

  constructor(seed: number, level: FaultLevel) {
    this.#seed = seed
    this.#rates = rates[level]
    this.#random = new SeededRandom(seed)
  }

  /** To be called when a day begins. */
  hostFaults(day: number): HostFault[] {
    this.#random = new SeededRandom(seedOf(this.#seed, 'day', day))
    if (this.#random.fraction() >= this.#rates.day) return []
    return [this.#hostFault()]
  }

  forProcess(kind: 'run' | 'tick'): ProcessFaults {
    if (this.#random.fraction() >= this.#rates[kind]) return {}
    const [name, faults] = kind === 'run' ? this.#runFault() : this.#tickFault()
    return { name, ...faults }
  }

  #runFault(): [string, ProcessFaults] {
    const draw = this.#random.fraction()
    if (draw < 0.4) {
      const model = this.#one(modelFaults)
      return [`model ${model}`, { model }]
    }
    if (draw < 0.55) {
      const channel = this.#one(channelFaults)
      return [`channel ${channel}`, { channel }]
    }
    if (draw < 0.65) return ['doubled line', { isDoubled: true }]
    return this.#diskFault(callsOfRun)
  }

  #tickFault(): [string, ProcessFaults] {
    if (this.#random.fraction() < 0.3) return ['doubled tick', { isDoubled: true }]
    return this.#diskFault(callsOfTick)
  }

  #diskFault(calls: number): [string, ProcessFaults] {
    const at = 1 + Math.floor(this.#random.fraction() * calls)
    const draw = this.#random.fraction()
    if (draw < 0.45) return ['kill', { disk: { at, kind: this.#one(kills) } }]
    if (draw < 0.75) return ['power cut', { disk: { at, kind: this.#one(kills), power: this.#one(losses) } }]
    return ['disk error', { disk: { at, kind: this.#one(errors) } }]
  }

  #hostFault(): HostFault {
    const atMs = Math.floor(this.#random.fraction() * 19 * hourMs)
    const draw = this.#random.fraction()
    if (draw < 0.3) return { atMs, kind: 'sleep', ms: this.#between(10, 300) }
    if (draw < 0.5) return { atMs, kind: 'disk-full', ms: this.#between(2, 40) }
    if (draw < 0.65) return { atMs, kind: 'power-cut', loss: this.#one(losses), ms: this.#between(1, 90) }
    const sign = this.#random.fraction() < 0.5 ? -1 : 1
    return { atMs, kind: 'clock-step', stepMs: sign * this.#between(2, 180), ms: this.#between(5, 60) }
  }

  #between(least: number, most: number): number {
    return Math.floor(least + this.#random.fraction() * (most - least)) * minuteMs
  }

  #one<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random.fraction() * values.length)]!
  }
}
