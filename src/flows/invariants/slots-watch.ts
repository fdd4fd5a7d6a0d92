import { slotsBetween } from '../../core/cron.ts'
import { jobKey } from '../../core/job.ts'
import { dayMs, fromIso, hourMs, type Millis, minuteMs, toIso } from '../../core/millis.ts'
import type { RunRecord, RunState } from '../../core/run.ts'
import type { DayRead, Problem, Watched, WatchedJob } from './day-facts.ts'

export interface SlotFigures {
  due: number
  ran: number
  skipped: number
  missed: number
  crashed: number
  /** Due, and nothing on record. */
  unrecorded: number
}

/** Slots are remembered for so long after they were accounted for; nothing runs one that late. */
const rememberMs = 3 * dayMs
/** Beyond window and retries, for a host that was asleep or a tick that came late. */
const slackMs = 6 * hourMs

interface SlotBook {
  job: WatchedJob
  /** Slots up to here have been asked for. */
  through: Millis
  /** What is on record of each slot. */
  ends: Map<Millis, RunRecord[]>
}

/** Each slot at most once, and none silent: by the end of its window it has a record. */
export class SlotsWatch {
  readonly figures: SlotFigures = { due: 0, ran: 0, skipped: 0, missed: 0, crashed: 0, unrecorded: 0 }
  readonly #books: ReadonlyMap<string, SlotBook>

  constructor({ jobs, from }: Pick<Watched, 'jobs' | 'from'>) {
    this.#books = new Map(jobs.map(job => [jobKey(job), { job, through: from, ends: new Map() }]))
  }

  check({ records, now }: DayRead): Problem[] {
    const doubled = records.flatMap(record => this.#note(record))
    return [...doubled, ...[...this.#books.values()].flatMap(book => this.#silent(book, now))]
  }

  #note(record: RunRecord): Problem[] {
    const slot = record.slot === null ? undefined : fromIso(record.slot)
    const book = this.#books.get(`${record.agent}/${record.job}`)
    if (slot === undefined || !book) return []
    const ends = book.ends.get(slot) ?? []
    book.ends.set(slot, [...ends, record])
    const before = ends.find(one => isGood(one.state))
    if (!before || !isGood(record.state)) return []
    const what = `${jobKey(book.job)}, slot ${record.slot}: runs ${before.run} and ${record.run} both ended well`
    return [{ invariant: 'each slot at most once', what }]
  }

  #silent(book: SlotBook, now: Millis): Problem[] {
    const { job, ends } = book
    const until = now - graceMs(job)
    if (until <= book.through) return []
    const due = slotsBetween(job.schedule, job.timeZone, book.through, until)
    book.through = until
    for (const slot of due) this.#count(ends.get(slot) ?? [])
    for (const slot of ends.keys()) if (slot < until - rememberMs) ends.delete(slot)
    return due
      .filter(slot => !ends.has(slot))
      .map(slot => ({
        invariant: 'no slot silent',
        what: `${jobKey(job)}, slot ${toIso(slot)} has no record`,
      }))
  }

  #count(ends: readonly RunRecord[]): void {
    const { figures } = this
    const last = ends.find(({ state }) => isGood(state)) ?? ends.at(-1)
    figures.due += 1
    if (!last) figures.unrecorded += 1
    else if (last.state === 'crashed') figures.crashed += 1
    else if (last.state !== 'skipped') figures.ran += 1
    else if (last.reason.startsWith('missed')) figures.missed += 1
    else figures.skipped += 1
  }
}

function isGood(state: RunState): boolean {
  return state === 'ok' || state === 'silent'
}

function graceMs({ catchup, retry }: WatchedJob): number {
  const within = Math.min(catchup.within, dayMs)
  return within + retry.attempts * Math.max(retry.backoff, minuteMs) + slackMs
}
