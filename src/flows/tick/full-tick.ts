import { type ClawError, isClawError } from '../../core/claw-error.ts'
import { toIso } from '../../core/millis.ts'
import { loadConfig } from '../../records/config.ts'
import { noteTick, peekLastTick } from '../../records/schedule.ts'
import { upkeep, upkeepDueAt } from './upkeep.ts'
import type { TickContext, TickSetup } from './context.ts'
import { tellDeadRuns } from './dead-runs.ts'
import { type DueJob, dueJobs, outlook } from './due-jobs.ts'
import { type DueIndex, peekDueIndex, replaceDueIndex } from './due-file.ts'
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
  const context: TickContext = { ...setup, config, report: emptyReport(toIso(world.clock.now())) }
  const before = peekDueIndex(world.disk, root)
  const steps = new Steps()
  const kept = await steps.run(() => tellDeadRuns(context))
  const schedule = await steps.run(() => openSchedule(context))
  const hoursOf = hoursIn(schedule?.timings)
  const ends = await Promise.allSettled([
    steps.run(() => startSlots(context, schedule?.due ?? [])),
    steps.run(async () => tellOnce(context, before, await problemsOf(context, schedule, hoursOf))),
    steps.run(() => upkeep(context)),
  ])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  const told = ends[1]?.status === 'fulfilled' ? ends[1].value : undefined
  if (schedule && kept && told)
    await steps.run(() => closeTick(context, { schedule, kept, told: told as string[], hoursOf }))
  steps.throwFirst(context)
  return context.report
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
  schedule: OpenSchedule
  kept: readonly string[]
  told: string[]
  hoursOf: HoursOf
}

/** Writes how far this tick came, and for the next one what it need not look at again. */
async function closeTick(
  context: TickContext,
  { schedule: { timings, changes, due }, kept, told, hoursOf }: Closing,
): Promise<void> {
  const { world, root, config, dryRun } = context
  // Before the last look: what changes later makes another signature.
  const state = stateSigns(world.disk, root)
  const isSomebodyNamed = namedLeases(world.disk, root).some(lease => !kept.includes(lease))
  const { advances, nextAt } = await outlook(context, { jobs: timings.jobs, due, changes })
  if (dryRun) return
  await advanceWatches(world, root, advances)
  const now = world.clock.now()
  const moments = [
    nextAt,
    nextSending(context, hoursOf) ?? nextAt,
    upkeepDueAt(world, root, config),
    ...(isSomebodyNamed ? [now] : []),
  ]
  const signs = signsText({ jobs: timings.signs, state, watch: watchSign(world.disk, root) })
  const index = { madeAt: now, nextAt: Math.min(...moments), config: timings.config, signs, told }
  replaceDueIndex(world, root, index)
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

  throwFirst({ warn }: Pick<TickContext, 'warn'>): void {
    const [first, ...more] = this.#errors
    for (const { message } of more) if (message !== first?.message) warn(message)
    if (first) throw first
  }
}
