import { type ClawError, isClawError } from '../../core/claw-error.ts'
import { type Millis, toIso } from '../../core/millis.ts'
import { loadConfig } from '../../records/config.ts'
import { noteTick, peekLastTick } from '../../records/schedule.ts'
import { upkeep, upkeepDueAt } from './upkeep.ts'
import type { TickContext, TickSetup } from './context.ts'
import { noteBrokenJobs } from './broken-jobs.ts'
import { tellDeadRuns } from './dead-runs.ts'
import { type DueJob, dueJobs, outlook } from './due-jobs.ts'
import { type DueIndex, peekDueIndex, replaceDueIndex } from './due-file.ts'
import { decodeHeld, encodeHeld } from './held-back.ts'
import { longSilenceMs, waitsForFile } from './open-slots.ts'
import { emptyReport, type TickReport } from './report.ts'
import { type HoursOf, nextSending, sendWaiting } from './send-waiting.ts'
import { namedLeases, signsText, stateSigns, watchSign } from './signs.ts'
import { startSlots } from './start-slots.ts'
import { loadTimings, type Timings } from './timings.ts'
import { advanceWatches, bringUpToDate, type WatchChange } from './watches.ts'

/**
 * Looks at everything. May be killed at any instruction and run several times at
 * once: claims and leases decide, and how far a job is accounted for is written
 * when its slots have their end. A step that fails does not keep the others from
 * their work; its error is thrown at the end.
 */
export async function fullTick(setup: TickSetup): Promise<TickReport> {
  const { world, root, dryRun } = setup
  const config = await loadConfig(world, root, { saveCache: !dryRun })
  const before = peekDueIndex(world.disk, root)
  const context: TickContext = {
    ...setup,
    config,
    report: emptyReport(toIso(world.clock.now())),
    held: decodeHeld(before?.held),
    problems: [],
    unsettled: new Set(),
  }
  // A clock that jumped by months may be wrong: nothing is old before a second tick says the same.
  const isAfterSilence = wasSilent(context)
  const steps = new Steps()
  const kept = await steps.run(() => tellDeadRuns(context))
  const schedule = await steps.run(() => openSchedule(context))
  const tellBrokenAt = await steps.run(() => schedule && noteBrokenJobs(context, schedule.timings))
  const hoursOf = hoursIn(schedule?.timings)
  const ends = await Promise.allSettled([
    steps.run(() => startSlots(context, schedule?.due ?? [])),
    steps.run(async () => tellOnce(context, before, await problemsOf(context, schedule, hoursOf))),
    steps.run(() => (isAfterSilence ? undefined : upkeep(context))),
  ])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  const unrecorded = context.problems.map(({ message }) => message)
  for (const problem of context.problems) if (!before?.told.includes(problem.message)) steps.add(problem)
  const told = ends[1]?.status === 'fulfilled' ? ends[1].value : undefined
  if (schedule && kept && told)
    await steps.run(() =>
      closeTick(context, {
        before,
        schedule,
        kept,
        told: [...(told as string[]), ...unrecorded],
        hoursOf,
        tellBrokenAt,
      }),
    )
  steps.throwFirst(context)
  return context.report
}

function wasSilent({ world, root }: TickContext): boolean {
  const lastTick = peekLastTick(world.disk, root)
  return lastTick !== undefined && world.clock.now() - lastTick > longSilenceMs
}

interface OpenSchedule {
  timings: Timings
  changes: ReadonlyMap<string, WatchChange>
  due: DueJob[]
}

async function openSchedule(context: TickContext): Promise<OpenSchedule> {
  const { world, root, dryRun } = context
  const timings = await loadTimings(context)
  const changes = await bringUpToDate(world, root, {
    jobs: timings.jobs,
    kept: timings.broken.map(({ key }) => key),
    lastTick: peekLastTick(world.disk, root),
    dryRun,
  })
  // After the watches: what is seen first counts from the last tick that had seen what was before.
  if (!dryRun) noteTick(world, root)
  return { timings, changes, due: await dueJobs(context, timings.jobs, changes) }
}

/** The times of day at which the deliveries of a job may go out. */
function hoursIn(timings: Timings | undefined): HoursOf {
  return key => {
    const timed = timings?.jobs.find(job => job.key === key)
    return timed?.active ? { active: timed.active, timeZone: timed.timeZone } : undefined
  }
}

async function problemsOf(
  context: TickContext,
  schedule: OpenSchedule | undefined,
  hoursOf: HoursOf,
): Promise<string[]> {
  const broken = schedule?.timings.broken ?? []
  return [...broken.map(({ why }) => why), ...(await sendWaiting(context, hoursOf))]
}

/** What stays wrong is told once, not each minute. */
function tellOnce({ warn }: TickContext, before: DueIndex | undefined, problems: string[]): string[] {
  for (const line of problems) if (!before?.told.includes(line)) warn(line)
  return problems
}

interface Closing {
  before: DueIndex | undefined
  schedule: OpenSchedule
  kept: readonly string[]
  told: string[]
  hoursOf: HoursOf
  tellBrokenAt: Millis | undefined
}

/** Writes how far this tick came, and for the next one what it need not look at again. */
async function closeTick(
  context: TickContext,
  { before, schedule, kept, told, hoursOf, tellBrokenAt }: Closing,
): Promise<void> {
  const { world, root, config, dryRun } = context
  const { timings, changes, due } = schedule
  // Before the last look: what changes later makes another signature.
  const state = stateSigns(world.disk, root)
  const isSomebodyNamed = namedLeases(world.disk, root).some(lease => !kept.includes(lease))
  const { advances, nextAt, awaited } = await outlook(context, { jobs: timings.jobs, due, changes })
  if (dryRun) return
  const waiting = markNews(context, before)
  await advanceWatches(world, root, advances)
  const now = world.clock.now()
  const moments = [
    nextAt,
    nextSending(context, hoursOf) ?? nextAt,
    upkeepDueAt(world, root, config),
    tellBrokenAt ?? nextAt,
    ...(isSomebodyNamed ? [now] : []),
  ]
  const signs = signsText({ jobs: timings.signs, state, watch: watchSign(world.disk, root) })
  const index = {
    madeAt: now,
    nextAt: Math.min(...moments),
    config: timings.config,
    signs,
    told,
    waiting,
    awaited,
    held: encodeHeld(context.held),
  }
  replaceDueIndex(world, root, index)
}

/** What waits longer than one tick is news once; returned is what was told so far. */
function markNews({ report }: TickContext, before: DueIndex | undefined): string[] {
  return report.waiting.map(one => {
    const why = one.reason.startsWith(waitsForFile) ? waitsForFile : one.reason
    const key = `${one.job} ${one.slot} ${why}`
    one.isNew = !before?.waiting.includes(key)
    return key
  })
}

/** Steps of which each gets its turn. What is no problem that a person can act on ends the tick at once. */
class Steps {
  readonly #errors: ClawError[] = []

  async run<T>(body: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await body()
    } catch (error) {
      if (!isClawError(error)) throw error
      this.#errors.push(error)
      return undefined
    }
  }

  add(error: ClawError): void {
    this.#errors.push(error)
  }

  throwFirst({ warn }: Pick<TickContext, 'warn'>): void {
    const [first, ...more] = this.#errors
    for (const { message } of more) if (message !== first?.message) warn(message)
    if (first) throw first
  }
}
