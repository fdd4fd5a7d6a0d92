import { isClawError } from '../../core/claw-error.ts'
import { nextSlots, slotsBetween } from '../../core/cron.ts'
import { heartbeatName, type Job } from '../../core/job.ts'
import { type Millis, toIso } from '../../core/millis.ts'
import { timingOf } from '../../core/schedule-text.ts'
import type { TickContext } from './context.ts'
import type { AwaitedFile } from './signs.ts'
import { lineGoesFirstMs, type Look, lookAtSlots, ownLineFirst } from './open-slots.ts'
import { recordOlder, settleSlots } from './settle-slots.ts'
import { loadTeamJob, type TimedJob } from '../schedule/team-jobs.ts'
import type { Advance, WatchChange } from './watches.ts'

/** A job with slots that have no end yet. */
export interface DueJob {
  timed: TimedJob
  job: Job
  change: WatchChange
  /** Exclusive: slots up to here have their end. */
  after: Millis
  /** Slots that are to be run now, in order. */
  starts: Millis[]
}

/** What has come due, with all that will not run recorded as missed. */
export async function dueJobs(
  context: TickContext,
  jobs: readonly TimedJob[],
  changes: ReadonlyMap<string, WatchChange>,
): Promise<DueJob[]> {
  const due: DueJob[] = []
  const ahead: string[] = []
  for (const timed of jobs) {
    const change = changes.get(timed.key)
    if (!change) continue
    if (change.wasAhead) ahead.push(timed.key)
    try {
      const one = await dueJob(context, timed, change)
      if (one) due.push(one)
    } catch (error) {
      // What cannot be recorded of one job must not keep the others.
      if (!isClawError(error, 'not-recorded')) throw error
      context.problems.push(error)
      context.unsettled.add(timed.key)
    }
  }
  warnOfAhead(context, ahead)
  return due
}

async function dueJob(
  context: TickContext,
  timed: TimedJob,
  change: WatchChange,
): Promise<DueJob | undefined> {
  if (change.ended) await settleEnded(context, timed, change)
  const after = change.watch.through
  if (!timed.isEnabled || !hasSlots(context, timed, after)) return undefined
  const one: DueJob = { timed, job: await jobOf(context, timed), change, after, starts: [] }
  await settleDue(context, one)
  return one
}

function warnOfAhead({ warn }: TickContext, keys: readonly string[]): void {
  if (keys.length === 0) return
  const names = keys.slice(0, 5).join(', ') + (keys.length > 5 ? ` and ${keys.length - 5} more jobs` : '')
  warn(
    `${names}: ${keys.length === 1 ? 'its schedule was' : 'their schedules were'} accounted for up to a moment that is still to come; taken back to now`,
  )
}

function hasSlots({ world }: TickContext, { schedule, timeZone }: TimedJob, after: Millis): boolean {
  // The moment after one that has its end is remembered from when the job was last looked at.
  const [next] = nextSlots(schedule, timeZone, after, 1)
  return next !== undefined && next <= world.clock.now()
}

function jobOf({ world, root, config, dryRun }: TickContext, { agent, name }: TimedJob): Promise<Job> {
  const isFile = name !== heartbeatName
  const file = isFile ? `agents/${agent}/jobs/${name}.md` : undefined
  return loadTeamJob(world, root, { agent, name, file, config, saveCache: !dryRun })
}

async function settleDue(context: TickContext, one: DueJob): Promise<void> {
  const look = await lookAgain(context, one)
  const newest = look.older.at(-1)
  if (newest !== undefined && (await recordOlder(context, one, look.older))) one.after = newest
  one.starts = look.open.filter(({ decision }) => decision.kind === 'start').map(({ slot }) => slot)
  await settleSlots(context, one.job, look.open)
}

/** What is open of it now. */
export function lookAgain(context: TickContext, { job, timed, after }: DueJob): Promise<Look> {
  const { schedule, timeZone } = timed
  const until = context.world.clock.now()
  return lookAtSlots(context, job, { schedule, timeZone, after, until, joinsMissed: true })
}

/** Slots that an edit took away: what was not begun of them is missed, and says why. */
async function settleEnded(context: TickContext, timed: TimedJob, { ended }: WatchChange): Promise<void> {
  const timing = ended && timingOf(ended.text)
  if (!ended || !timing || ended.until <= ended.after) return
  if (slotsBetween(timing.schedule, timing.timeZone, ended.after, ended.until, 1).length === 0) return
  const job = await jobOf(context, timed)
  const { after, until, why } = ended
  const { open } = await lookAtSlots(context, job, { ...timing, after, until })
  const ends = open.map(({ slot, attempts }) => {
    const reason = `missed: slot ${toIso(slot)} was not run, and ${why}`
    const decision =
      attempts.length === 0
        ? ({ kind: 'missed', reason } as const)
        : ({ kind: 'settled', reason: why } as const)
    return { slot, attempts, decision, awaited: [] }
  })
  await settleSlots(context, job, ends)
}

export interface Outlook {
  advances: Map<string, Advance>
  /** Nothing of any job is due before this moment, unless one of the awaited files changes. */
  nextAt: Millis
  awaited: AwaitedFile[]
}

/** How far each job is accounted for now, and when the next of them is due. */
export async function outlook(
  context: TickContext,
  {
    jobs,
    due,
    changes,
  }: { jobs: readonly TimedJob[]; due: readonly DueJob[]; changes: ReadonlyMap<string, WatchChange> },
): Promise<Outlook> {
  const advances = new Map<string, Advance>()
  const moments: Millis[] = []
  const awaited: AwaitedFile[] = []
  for (const [key, change] of changes)
    if (change.ended && !context.unsettled.has(key))
      advances.set(key, { change, through: change.watch.through })
  for (const one of due) {
    const look = await lookAgain(context, one)
    const { through, nextAt } = accountFor(context, one, look)
    awaited.push(...look.open.flatMap(open => (open.decision.kind === 'later' ? open.awaited : [])))
    if (through > one.change.watch.through || one.change.ended)
      advances.set(one.timed.key, { change: one.change, through })
    moments.push(...nextAt)
  }
  for (const timed of jobs) moments.push(...nextLook(context, timed))
  if (context.unsettled.size > 0) moments.push(context.world.clock.now())
  return { advances, nextAt: Math.min(...moments, Number.MAX_SAFE_INTEGER), awaited }
}

function accountFor(
  { world, report, dryRun }: TickContext,
  { timed, after }: DueJob,
  { open, older }: Look,
): { through: Millis; nextAt: Millis[] } {
  const now = world.clock.now()
  const firstOpen = open.findIndex(({ decision }) => decision.kind !== 'settled')
  const settled = firstOpen === -1 ? open : open.slice(0, firstOpen)
  const nextAt: Millis[] = []
  for (const { slot, decision } of open) {
    if (decision.kind === 'settled') continue
    nextAt.push(decision.kind === 'later' ? (decision.at ?? now) : now)
    if (decision.kind === 'later' && decision.reason !== ownLineFirst)
      report.waiting.push({ job: timed.key, slot: toIso(slot), reason: decision.reason, isNew: true })
  }
  const through = older.length > 0 || dryRun ? after : (settled.at(-1)?.slot ?? after)
  return { through, nextAt }
}

function nextLook({ world }: TickContext, { schedule, timeZone, isEnabled }: TimedJob): Millis[] {
  if (!isEnabled) return []
  const [next] = nextSlots(schedule, timeZone, world.clock.now(), 1)
  return next === undefined ? [] : [next + (schedule.kind === 'cron' ? lineGoesFirstMs : 0)]
}
