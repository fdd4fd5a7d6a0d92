import type { RunRecord } from '../core/run.ts'
import { type DayFacts, invariantNames, type Problem, type Watched } from './invariants/day-facts.ts'
import { DeliveriesWatch } from './invariants/deliveries-watch.ts'
import { exitProblems } from './invariants/exits.ts'
import { FilesWatch } from './invariants/files-watch.ts'
import { leaseProblems } from './invariants/leases.ts'
import { LogsWatch } from './invariants/logs-watch.ts'
import { sizeProblems } from './invariants/sizes.ts'
import { SlotsWatch } from './invariants/slots-watch.ts'

export { invariantNames }
export type { Arrived, DayFacts, Problem, Watched, WatchedJob } from './invariants/day-facts.ts'

/**
 * What must hold in a workspace whatever befell it. Reads only; asks each day only
 * for what changed, so that a day of history costs what it holds.
 */
export class Invariants {
  /** Records of runs so far, by state. */
  readonly runs: Record<string, number> = {}
  readonly files: FilesWatch
  readonly slots: SlotsWatch
  readonly deliveries: DeliveriesWatch
  readonly #watched: Watched
  readonly #logs: LogsWatch

  constructor(watched: Watched) {
    this.#watched = watched
    this.files = new FilesWatch(watched.disk, watched.root)
    this.slots = new SlotsWatch(watched)
    this.deliveries = new DeliveriesWatch(watched)
    this.#logs = new LogsWatch(watched)
  }

  /** To be called when no process runs and the last one was a tick. */
  checkDay(facts: DayFacts): Problem[] {
    const paths = this.files.changed(facts.changed)
    const { records, problems } = this.#logs.read(paths, facts.changed)
    for (const record of records) this.#count(record)
    const day = { ...facts, records }
    return [
      ...problems,
      ...this.slots.check(day),
      ...this.deliveries.check(day),
      ...exitProblems(day),
      ...leaseProblems(this.#watched, facts),
      ...sizeProblems(this.#watched, this.files, paths),
    ]
  }

  #count({ state }: RunRecord): void {
    this.runs[state] = (this.runs[state] ?? 0) + 1
  }
}
