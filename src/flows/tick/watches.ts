import { type Millis, minuteMs } from '../../core/millis.ts'
import { timingText } from '../../core/schedule-text.ts'
import { onTimeMs } from '../../core/slot-policy.ts'
import { lockFile } from '../../records/paths.ts'
import { peekWatches, replaceWatches, type Watch, type Watches } from '../../records/schedule.ts'
import { withLock } from '../../store/lock.ts'
import type { World } from '../../world/world.ts'
import type { TimedJob } from '../schedule/team-jobs.ts'

/** What a watch says of a job that is switched off or has no schedule: its slots are nobody's. */
const off = 'off'

/** Slots that an edit took from a job: those of the old schedule that are still open get their end. */
export interface EndedSchedule {
  /** As the watch spells it. */
  text: string
  /** Exclusive. */
  after: Millis
  /** Inclusive. */
  until: Millis
  why: string
}

export interface WatchChange {
  watch: Watch
  ended?: EndedSchedule
  /** A stamp lay in the future and was taken back to now. */
  wasAhead?: true
}

/**
 * The watch over a job as it is now. What is new (seen first, enabled again, another
 * schedule) counts from the last tick, which still saw what was before, and at most
 * two minutes back: a job written a minute before its slot loses none, and one
 * that was renamed after it repeats none. The first tick of all counts from its minute.
 */
export function watchAfter(
  before: Watch | undefined,
  job: Pick<TimedJob, 'schedule' | 'timeZone' | 'isEnabled'>,
  { now, lastTick }: { now: Millis; lastTick: Millis | undefined },
): WatchChange {
  const schedule = job.isEnabled ? timingText(job) : off
  const lastSeen = lastTick !== undefined && lastTick <= now ? lastTick : undefined
  const from = lastSeen === undefined ? thisMinute(now) : Math.max(now - onTimeMs, lastSeen)
  const fresh: Watch = { schedule, since: from, through: from }
  if (!before) return { watch: fresh }
  const isAhead = before.since > now || before.through > now
  const known = isAhead
    ? { ...before, since: Math.min(before.since, now), through: Math.min(before.through, now) }
    : before
  const change: WatchChange = {
    watch: known.schedule === schedule ? known : fresh,
    ...(isAhead && { wasAhead: true }),
  }
  if (known.schedule === schedule || known.schedule === off) return change
  const until = job.isEnabled ? from : (lastSeen ?? now)
  const why = job.isEnabled ? 'its schedule was changed' : 'it was switched off'
  return { ...change, ended: { text: known.schedule, after: known.through, until, why } }
}

/** Just before the minute began, so that its own slot counts. */
function thisMinute(now: Millis): Millis {
  return Math.floor(now / minuteMs) * minuteMs - 1
}

/**
 * Brings the watches up to date under the lock `schedule` and returns one for each job. A
 * changed schedule stays as it was on disk until what was open of it has its end.
 */
export async function bringUpToDate(
  world: World,
  root: string,
  { jobs, kept, lastTick, dryRun }: WatchUpdate,
): Promise<Map<string, WatchChange>> {
  const changes = new Map<string, WatchChange>()
  const update = (before: Watches): Watches => {
    const next: Watches = {}
    for (const key of kept) if (before[key]) next[key] = before[key]
    for (const job of jobs) {
      const change = watchAfter(before[job.key], job, { now: world.clock.now(), lastTick })
      changes.set(job.key, change)
      next[job.key] = change.ended ? before[job.key]! : change.watch
    }
    return next
  }
  if (dryRun) update(peekWatches(world.disk, root))
  else await changeWatches(world, root, update)
  return changes
}

export interface WatchUpdate {
  jobs: readonly TimedJob[]
  /** Jobs that cannot be decoded now: their watches stay as they are. */
  kept: readonly string[]
  lastTick: Millis | undefined
  dryRun: boolean
}

export interface Advance {
  change: WatchChange
  /** Every slot up to here has its end. */
  through: Millis
}

/** Writes how far each job came. Another tick that came further, or saw a later edit, is not taken back. */
export async function advanceWatches(
  world: World,
  root: string,
  advances: ReadonlyMap<string, Advance>,
): Promise<void> {
  if (advances.size === 0) return
  await changeWatches(world, root, before => {
    const next = { ...before }
    for (const [key, { change, through }] of advances) {
      const current = before[key]
      if (!current) continue
      const { watch, ended } = change
      if (current.schedule === watch.schedule)
        next[key] = { ...current, through: Math.max(current.through, through) }
      else if (current.schedule === ended?.text) next[key] = { ...watch, through }
    }
    return next
  })
}

async function changeWatches(
  world: World,
  root: string,
  change: (before: Watches) => Watches,
): Promise<void> {
  await withLock(world, lockFile(root, 'schedule'), () => {
    const before = peekWatches(world.disk, root)
    const after = change(before)
    if (!isSame(before, after)) replaceWatches(world, root, after)
  })
}

function isSame(before: Readonly<Watches>, after: Readonly<Watches>): boolean {
  const [jobs, others] = [Object.keys(before), Object.keys(after)]
  return (
    jobs.length === others.length &&
    jobs.every((job, at) => job === others[at] && isAsFar(before[job]!, after[job]!))
  )
}

function isAsFar(a: Watch, b: Watch): boolean {
  return a === b || (a.schedule === b.schedule && a.since === b.since && a.through === b.through)
}
