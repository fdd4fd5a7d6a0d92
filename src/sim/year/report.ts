import type { Millis } from '../../core/millis.ts'
import type { FaultLevel } from './fault-table.ts'

/** Something that must hold and does not. */
export interface Problem {
  invariant: string
  what: string
}

export interface Failure extends Problem {
  /** From 1. */
  day: number
  date: string
  /** The last fault before it, with its disk call. */
  after: string
  /** A command line that comes here again. */
  replay: string
}

export interface DayReport {
  /** From 1. */
  day: number
  date: string
  processes: number
  /** Real time. */
  tookMs: number
  problems: number
}

/** What the driver saw; what the files say is counted by the invariants. */
export interface YearReport {
  from: Millis
  /** Days that were simulated. */
  days: number
  seed: number
  faults: FaultLevel
  hostZone: string
  /** Lines of jobs that fired. */
  fires: number
  ticks: { run: number; passedOver: number }
  killed: number
  /** Faults that did happen, by kind. */
  injected: Record<string, number>
  /** The first ones; `failureCount` counts all. */
  failures: Failure[]
  failureCount: number
  byInvariant: Record<string, number>
  /** Real milliseconds for a simulated day: medians of the first and the last thirty days. */
  msPerDay: { first: number; last: number; ratio: number }
  tookMs: number
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

const monthDays = 30

export function msPerDay(days: readonly number[]): YearReport['msPerDay'] {
  const month = Math.min(monthDays, Math.ceil(days.length / 2))
  const first = median(days.slice(0, month))
  const last = median(days.slice(-month))
  return { first, last, ratio: first === 0 ? 1 : last / first }
}
