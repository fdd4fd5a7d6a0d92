import type { RunFailure } from './retry.ts'
import { isBad, type RunState } from './run.ts'

/** Failures with one cause, whichever jobs they hit. */
export interface Incident {
  /** Names the cause in commands; its first bad run. */
  id: string
  /** The reason without what differs from case to case. */
  signature: string
  /** The reason as it was first given. */
  reason: string
  since: string
  last: string
  /** Bad runs with this cause in all. */
  count: number
  /** By `<agent>/<job>`: bad runs in a row with this cause. */
  jobs: Record<string, number>
  alerted: string | null
  acknowledged: string | null
}

/** `shared-context/incidents.json`: what is going wrong, and what was stopped for it. */
export interface IncidentBook {
  open: Incident[]
  /** Bad runs in a row of each job, whatever their cause. */
  streaks: Record<string, number>
  paused: Record<string, { at: string; reason: string }>
}

export interface JobOutcome {
  job: string
  run: string
  state: RunState
  failure: RunFailure | null
  reason: string
  /** ISO */
  at: string
}

export interface IncidentLimits {
  /** Bad runs in a row with one cause before a person is told. */
  alertAfter: number
  /** Bad runs in a row of one job before it is stopped. */
  pauseAfter: number
}

/** What a person is to be told. `key` makes it one message. */
export interface Notice {
  kind: 'alert' | 'recovery' | 'pause'
  key: string
  text: string
}

export interface Noted {
  book: IncidentBook
  notices: Notice[]
}

export const noIncidents: IncidentBook = { open: [], streaks: {}, paused: {} }

/** The book after one more run; the same book where nothing changes. A skip says nothing about a cause. */
export function noteOutcome(book: IncidentBook, outcome: JobOutcome, limits: IncidentLimits): Noted {
  if (isBad(outcome.state)) return noteFailure(book, outcome, limits)
  if (outcome.state === 'ok' || outcome.state === 'silent') return noteRecovery(book, outcome)
  return { book, notices: [] }
}

/** Has this job anything to recover from? */
export function isTroubled({ open, streaks }: IncidentBook, job: string): boolean {
  return streaks[job] !== undefined || open.some(incident => incident.jobs[job] !== undefined)
}

function noteFailure(book: IncidentBook, outcome: JobOutcome, limits: IncidentLimits): Noted {
  const { job, run, reason, at } = outcome
  const signature = signatureOf(outcome)
  const known = book.open.find(incident => incident.signature === signature)
  const before: Incident = known ?? {
    id: run,
    signature,
    reason,
    since: at,
    last: at,
    count: 0,
    jobs: {},
    alerted: null,
    acknowledged: null,
  }
  const inRow = (before.jobs[job] ?? 0) + 1
  const isAlert = before.alerted === null && inRow >= limits.alertAfter
  const incident: Incident = {
    ...before,
    last: at,
    count: before.count + 1,
    jobs: { ...before.jobs, [job]: inRow },
    alerted: isAlert ? at : before.alerted,
  }
  const notices: Notice[] = []
  if (isAlert) notices.push(alertOf(incident))
  const streak = (book.streaks[job] ?? 0) + 1
  const paused = { ...book.paused }
  if (streak >= limits.pauseAfter && !paused[job]) {
    paused[job] = { at, reason: `${streak} bad runs in a row, the last: ${reason}` }
    notices.push(pauseOf(job, run, paused[job].reason))
  }
  // One cause at a time: another one ends the row of the first for this job.
  const others = withoutJob(
    book.open.filter(one => one !== known),
    job,
  )
  return {
    book: {
      open: [...others.filter(isOpen), incident],
      streaks: { ...book.streaks, [job]: streak },
      paused,
    },
    notices,
  }
}

function noteRecovery(book: IncidentBook, { job, at }: JobOutcome): Noted {
  if (!isTroubled(book, job)) return { book, notices: [] }
  const { [job]: _, ...streaks } = book.streaks
  const left = withoutJob(book.open, job)
  const closed = left.filter(incident => !isOpen(incident))
  return {
    book: { ...book, streaks, open: left.filter(isOpen) },
    notices: closed
      .filter(incident => incident.alerted !== null)
      .map(incident => recoveryOf(incident, job, at)),
  }
}

function withoutJob(open: readonly Incident[], job: string): Incident[] {
  return open.map(incident => {
    const { [job]: _, ...jobs } = incident.jobs
    return { ...incident, jobs }
  })
}

function isOpen({ jobs }: Incident): boolean {
  return Object.keys(jobs).length > 0
}

const signatureLength = 120

/** The cause without ids, numbers, names in quotes, paths and times, so that its repetitions are one. */
export function signatureOf({
  state,
  failure,
  reason,
}: Pick<JobOutcome, 'state' | 'failure' | 'reason'>): string {
  const words = reason
    .slice(0, 4 * signatureLength)
    .toLowerCase()
    .replaceAll(/https?:\/\/\S+/g, '<url>')
    .replaceAll(/"[^"]*"|'[^']*'|`[^`]*`/g, '<text>')
    .replaceAll(/\S*\/\S*/g, '<path>')
    .replaceAll(/\b[0-9a-f]{6,}\b/g, '<id>')
    .replaceAll(/\d+/g, '#')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return `${failure ?? state}: ${words.slice(0, signatureLength)}`
}

function alertOf({ id, reason, jobs, count, since }: Incident): Notice {
  const names = Object.keys(jobs).join(', ')
  return {
    kind: 'alert',
    key: `incident-${id}-alert`,
    text: `${names}: ${count} bad runs since ${since}, one cause: ${reason}\nNothing more is sent about it until it is over. claw incidents ack ${id}`,
  }
}

function recoveryOf({ id, reason, since, count }: Incident, job: string, at: string): Notice {
  return {
    kind: 'recovery',
    key: `incident-${id}-recovery`,
    text: `over since ${at} (${job} ran well): ${reason}\n${count === 0 ? 'It began' : `${count} bad runs since`} ${since}.`,
  }
}

function pauseOf(job: string, run: string, reason: string): Notice {
  return {
    kind: 'pause',
    key: `pause-${job.replace('/', '.')}-${run}`,
    text: `${job} is paused: ${reason}\nclaw cron resume ${job} lets it run again.`,
  }
}
