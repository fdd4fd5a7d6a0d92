import type { Job } from '../../core/job.ts'
import type { Millis } from '../../core/millis.ts'
import type { TransportKind } from '../../core/outbox-step.ts'
import type { RunRecord } from '../../core/run.ts'
import type { Disk } from '../../world/disk.ts'

/** Something that must hold and does not. */
export interface Problem {
  invariant: InvariantName
  what: string
}

/** All that is asked, in the words of the summary. */
export const invariantNames = [
  'each slot at most once',
  'no slot silent',
  'each delivery at most once where blind',
  'each delivery exactly once where keyed',
  'every line readable',
  'every JSON file readable',
  'nothing recorded is lost',
  'no lease outlives its run',
  'sizes bounded',
  'exit codes tell the truth',
] as const
export type InvariantName = (typeof invariantNames)[number]

/** What is watched, from the first day to the last. */
export interface Watched {
  disk: Disk
  root: string
  /** Enabled ones that have a schedule. */
  jobs: readonly WatchedJob[]
  /** Slots before this moment are nobody's. */
  from: Millis
  /** By channel. */
  kindOf: (channel: string) => TransportKind
}

export interface WatchedJob extends Pick<Job, 'agent' | 'name' | 'schedule' | 'catchup' | 'retry'> {
  timeZone: string
}

export interface WatchedProcess {
  argv: readonly string[]
  /** By its own clock. */
  startedAt: Millis
  end: { kind: string; exitCode?: number }
}

export interface Arrived {
  channel: string
  kind: TransportKind
  key: string
}

/** One day, asked in a moment when no process runs and a tick has just ended. */
export interface DayFacts {
  now: Millis
  /** Paths that were written since the last time; `all` when anything may have changed. */
  changed: ReadonlySet<string> | 'all'
  ended: readonly WatchedProcess[]
  arrived: readonly Arrived[]
  /** Locks that are held, by any process. */
  held: readonly string[]
}

/** The same with what the files had to say that is new. */
export interface DayRead extends DayFacts {
  records: readonly RunRecord[]
}
