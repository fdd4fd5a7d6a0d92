import type { Usage } from './message.ts'
import type { RunFailure } from './retry.ts'

export type RunState =
  | 'ok'
  | 'silent'
  | 'skipped'
  | 'rejected'
  | 'failed'
  | 'timed_out'
  | 'waiting'
  | 'crashed'

export interface FileChange {
  /** Relative to the workspace. */
  path: string
  /** SHA-256 of the text before; null when the file was new. The text itself is a blob. */
  before: string | null
  after: string | null
}

export interface RunAttempt {
  ref: string
  why: string
  detail: string
}

/** One line of `shared-context/agent-runs/<agent>/YYYY-MM.jsonl`: what a run did, written once at its end. */
export interface RunRecord {
  type: 'run'
  run: string
  /** The run whose delivery keys this one goes on with: its own id, or that of a crashed run by hand. */
  origin: string
  agent: string
  /** Null for a turn on `-m`. */
  job: string | null
  /** ISO instant of the due moment; null for a run by hand. */
  slot: string | null
  state: RunState
  /** One line; empty for a plain `ok`. */
  reason: string
  /** The class of a bad end, for retries and incidents; null for a good one. */
  failure: RunFailure | null
  /** `provider/model` that answered; null when none was asked. */
  model: string | null
  /** Links of the chain that did not answer, and why. */
  fallbacks: RunAttempt[]
  startedAt: string
  durationMs: number
  usage: { in: number; out: number; cost: number | null }
  files: FileChange[]
  evidence: { items: number; sourcesOk: number; sourcesFailed: number; blob: string | null }
  /** Delivery ids in the outbox; their state is kept there. */
  deliveries: string[]
  session: string | null
  tools: { name: string; ok: boolean; denied: boolean }[]
  /** What was missing and went on without. */
  degraded: string[]
  /** Path of a text that was kept aside, for `rejected`. */
  keptAside: string | null
}

/** Latest state of one job, derived from its run records; may be rebuilt. */
export interface JobStatus {
  agent: string
  job: string
  run: string
  state: RunState
  reason: string
  slot: string | null
  at: string
  model: string | null
  deliveries: string[]
  /** Runs in a row that were neither ok, silent nor skipped. */
  failuresInRow: number
  /** Slots in a row that were not run in time and are recorded as missed. */
  missedInRow: number
}

export function isBad(state: RunState): boolean {
  return state === 'failed' || state === 'rejected' || state === 'timed_out' || state === 'crashed'
}

/** What begins the reason of a slot that nobody ran in time. */
export const missedMark = 'missed:'

export function isMissed({ state, reason }: Pick<RunRecord, 'state' | 'reason'>): boolean {
  return state === 'skipped' && reason.startsWith(missedMark)
}

/** After a long silence one record stands for many slots. */
function missedSlots({ reason }: Pick<RunRecord, 'reason'>): number {
  const [, count] = /^missed: (?:more than )?(\d+) slots from /.exec(reason) ?? []
  return count === undefined ? 1 : Number(count)
}

/** The state in the word that people look for: a missed slot is not skipped like a holiday. */
export function stateWord(record: Pick<RunRecord, 'state' | 'reason'>): RunState | 'missed' {
  return isMissed(record) ? 'missed' : record.state
}

export function foldJobStatus(before: JobStatus | undefined, record: RunRecord): JobStatus {
  const failuresInRow = isBad(record.state)
    ? (before?.failuresInRow ?? 0) + (before?.run === record.run ? 0 : 1)
    : record.state === 'skipped'
      ? (before?.failuresInRow ?? 0)
      : 0
  const missedBefore = before?.missedInRow ?? 0
  const missedInRow = isMissed(record)
    ? missedBefore + (before?.run === record.run ? 0 : missedSlots(record))
    : record.state === 'skipped'
      ? missedBefore
      : 0
  return {
    agent: record.agent,
    job: record.job ?? '-',
    run: record.run,
    state: record.state,
    reason: record.reason,
    slot: record.slot,
    at: record.startedAt,
    model: record.model,
    deliveries: record.deliveries,
    failuresInRow,
    missedInRow,
  }
}

/** What a run has used, after one more turn; an unknown cost stays unknown. */
export function totalUsage(total: RunRecord['usage'], used: Usage): RunRecord['usage'] {
  const cost = used.cost?.total
  return {
    in: total.in + used.input + used.cacheRead + used.cacheWrite,
    out: total.out + used.output,
    cost: total.cost === null || cost === undefined ? null : total.cost + cost,
  }
}

export type RunOutcome = Pick<RunRecord, 'state' | 'reason'> & Partial<RunRecord>

/** A whole record from what is known; the rest says "nothing". */
export function runRecord(
  head: Pick<RunRecord, 'run' | 'origin' | 'agent' | 'job' | 'slot' | 'startedAt' | 'durationMs'>,
  outcome: RunOutcome,
): RunRecord {
  return {
    type: 'run',
    ...head,
    failure: null,
    model: null,
    fallbacks: [],
    usage: { in: 0, out: 0, cost: 0 },
    files: [],
    evidence: { items: 0, sourcesOk: 0, sourcesFailed: 0, blob: null },
    deliveries: [],
    session: null,
    tools: [],
    degraded: [],
    keptAside: null,
    ...outcome,
  }
}

/** What the exit code of `run` says of a state. */
export const exitOfState = {
  ok: 'ok',
  silent: 'ok',
  skipped: 'ok',
  rejected: 'rejected',
  failed: 'failed',
  timed_out: 'timedOut',
  waiting: 'waiting',
  crashed: 'failed',
} as const satisfies Record<RunState, string>

/** Sortable by time, readable in a path: `20261128-003001-3f9a1c` (UTC). */
export function runId(iso: string, hex: string): string {
  return `${iso.slice(0, 10).replaceAll('-', '')}-${iso.slice(11, 19).replaceAll(':', '')}-${hex}`
}
