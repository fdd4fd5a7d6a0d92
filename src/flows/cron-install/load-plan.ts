import { ClawError, isClawError } from '../../core/claw-error.ts'
import type { Job } from '../../core/job.ts'
import { jobKey } from '../../core/job.ts'
import type { Plan, PlannedJob, Program } from '../../core/render/plan.ts'
import { agentNames } from '../../records/agents.ts'
import { loadConfig } from '../../records/config.ts'
import { jobNames, loadJob } from '../../records/jobs.ts'
import { sha256 } from '../../world/hash.ts'
import type { World } from '../../world/world.ts'
import type { BrokenJob } from '../schedule/team-jobs.ts'
import { hostZone } from './host-zone.ts'

export interface PlanRequest {
  program: Program
  /** Default: that of this machine. */
  hostZone?: string
  /** Whose clock changes count; default this year. */
  year?: number
}

export interface LoadedPlan extends Plan {
  /** Job files that cannot be used: they get no lines, and the tick starts them once they can. */
  broken: readonly BrokenJob[]
  /** Whose clock changes its lines are for. */
  year: number
}

/** What is to be installed: every enabled job that has a schedule. Throws `config-invalid` when all of them are broken. */
export async function loadPlan(world: World, root: string, request: PlanRequest): Promise<LoadedPlan> {
  const zone = request.hostZone ?? hostZone(world)
  const year = request.year ?? new Date(world.clock.now()).getUTCFullYear()
  const { timezone } = await loadConfig(world, root)
  const { everyExpression, hostLines } = await import('../../core/host-lines.ts')
  const jobs: PlannedJob[] = []
  const byTick: { job: string; why: string }[] = []
  const scheduled = await scheduledJobs(world, root)
  for (const job of scheduled.jobs) {
    const { schedule } = job
    const timeZone = schedule.kind === 'every' ? 'UTC' : (job.tz ?? timezone)
    const expression =
      schedule.kind === 'cron'
        ? schedule.expression
        : schedule.kind === 'every'
          ? everyExpression(schedule.everyMs)
          : undefined
    const lines = expression === undefined ? [] : hostLines(expression, timeZone, zone, { year })
    if (expression === undefined || lines.length === 0) {
      byTick.push({ job: jobKey(job), why: `\`${job.schedule.kind}\` has no line of its own` })
      continue
    }
    const { agent, name, catchup } = job
    const withinMs = catchup.policy === 'none' ? undefined : catchup.within
    jobs.push({ agent, name, expression, timeZone, hostLines: lines, withinMs })
  }
  return {
    program: request.program,
    hostZone: zone,
    jobs,
    byTick,
    digest: sha256,
    broken: scheduled.broken,
    year,
  }
}

/** Jobs whose lines will be others next year, since clocks are changed on other days; until then the tick starts what they miss. */
export async function datedJobs({ jobs, hostZone: zone, year }: LoadedPlan): Promise<string[]> {
  const { hostLines } = await import('../../core/host-lines.ts')
  return jobs
    .filter(({ expression, timeZone, hostLines: lines }) => {
      if (timeZone === zone) return false
      const next = hostLines(expression, timeZone, zone, { year: year + 1 })
      return next.join('\n') !== lines.join('\n')
    })
    .map(({ agent, name }) => `${agent}/${name}`)
}

/** One line for each job that is left out. */
export function brokenWarnings({ broken }: Pick<LoadedPlan, 'broken'>): string[] {
  return broken.map(({ why }) => `${why}; it has no line until the file is put right`)
}

/** Enabled jobs with a schedule, and files that cannot be used. Throws `config-invalid` when there are only such files. */
export async function scheduledJobs(
  world: World,
  root: string,
): Promise<{ jobs: Job[]; broken: BrokenJob[] }> {
  const jobs: Job[] = []
  const broken: BrokenJob[] = []
  for (const agent of agentNames(world.disk, root)) {
    for (const name of jobNames(world.disk, root, agent)) {
      try {
        const job = await loadJob(world, root, { agent, job: name })
        if (job.enabled && job.schedule.kind !== 'manual') jobs.push(job)
      } catch (error) {
        if (!isClawError(error, 'config-invalid', 'conflict')) throw error
        broken.push({ key: `${agent}/${name}`, file: `agents/${agent}/jobs/${name}.md`, why: error.message })
      }
    }
  }
  const [first, ...more] = broken
  if (!first || jobs.length > 0) return { jobs, broken }
  throw new ClawError('config-invalid', first.why, {
    hint:
      more.length === 0
        ? 'no other job has a schedule'
        : `${more.length} more job files are broken: claw cron lint`,
  })
}
