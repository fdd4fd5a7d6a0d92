import { relative } from 'node:path'
import type { RunRecord } from '../../core/run.ts'
import { decodeRun } from '../../records/runs.ts'
import { scanLog } from '../../store/log/log-scan.ts'
import { readJsonFile } from '../../store/json-file.ts'
import { readLog } from '../../store/log.ts'
import type { DayFacts, Problem, Watched } from './day-facts.ts'

const runLog = /^shared-context\/agent-runs\/[^/]+\/[^/]+\.jsonl$/
/** What nobody reads as a log or a state, and what may be deleted at any time. */
const aside = /^(backups|\.claw\/(quarantine|blobs|backups|index))\//
/** Written without fsync, since they can be made anew: lost power may tear them until the next run. */
const derived = /^(shared-context\/job-status\/|\.claw\/(tick\.json|cooldowns\.json|when\/|heartbeat\/))/

/** Reads what was appended to each log since the last time, and each JSON file that was written. */
export class LogsWatch {
  readonly #watched: Pick<Watched, 'disk' | 'root'>
  readonly #readUpTo = new Map<string, number>()
  readonly #runs = new Map<string, Set<string>>()

  constructor(watched: Pick<Watched, 'disk' | 'root'>) {
    this.#watched = watched
  }

  /** The records of runs that are new, and what could not be read. */
  read(
    paths: readonly string[],
    changed: DayFacts['changed'],
  ): { records: RunRecord[]; problems: Problem[] } {
    const records: RunRecord[] = []
    const problems: Problem[] = []
    for (const path of paths) {
      const name = relative(this.#watched.root, path)
      if (aside.test(name)) continue
      if (name.endsWith('.jsonl')) this.#log(path, name, changed === 'all', { records, problems })
      else if (name.endsWith('.json') && !(changed === 'all' && derived.test(name)))
        problems.push(...this.#json(path, name))
    }
    return { records, problems }
  }

  #log(
    path: string,
    name: string,
    isAnew: boolean,
    into: { records: RunRecord[]; problems: Problem[] },
  ): void {
    const { disk } = this.#watched
    const from = isAnew ? 0 : (this.#readUpTo.get(path) ?? 0)
    const size = disk.stat(path)?.sizeBytes ?? 0
    const log = from > 0 && from <= size ? scanLog(disk, path, from) : readLog(disk, path)
    for (const { line, text } of log.bad)
      into.problems.push({
        invariant: 'every line readable',
        what: `${name}, line ${line} of what is new: ${text.slice(0, 60)}`,
      })
    // What ends in the middle of a line is read again, with its end.
    if (log.torn === undefined) this.#readUpTo.set(path, size)
    if (!runLog.test(name)) return
    const known = this.#runs.get(path) ?? new Set()
    this.#runs.set(path, known)
    const decoded = log.records.map(decodeRun).filter(record => record !== undefined)
    if (isAnew) into.problems.push(...lost(name, known, decoded))
    for (const record of decoded) {
      if (known.has(record.run)) continue
      known.add(record.run)
      into.records.push(record)
    }
  }

  #json(path: string, name: string): Problem[] {
    const file = readJsonFile(this.#watched.disk, path)
    if (file.state !== 'damaged') return []
    return [{ invariant: 'every JSON file readable', what: `${name}: ${file.why}` }]
  }
}

function lost(name: string, known: ReadonlySet<string>, decoded: readonly RunRecord[]): Problem[] {
  const there = new Set(decoded.map(({ run }) => run))
  const gone = [...known].filter(run => !there.has(run))
  if (gone.length === 0) return []
  return [
    { invariant: 'nothing recorded is lost', what: `${name}: ${gone.length} records, first ${gone[0]}` },
  ]
}
