import type { Job } from '../../core/job.ts'
import { jobKey } from '../../core/job.ts'
import type { Plan, PlannedJob, Program } from '../../core/render/plan.ts'
import { agentNames } from '../../records/agents.ts'
import { loadConfig } from '../../records/config.ts'
import { jobNames, loadJob } from '../../records/jobs.ts'
import { sha256 } from '../../world/hash.ts'
import type { World } from '../../world/world.ts'
import { hostZone } from './host-zone.ts'

export interface PlanRequest {
  program: Program
  /** Default: that of this machine. */
  hostZone?: string
  /** Whose clock changes count; default this year. */
  year?: number
}

/** What is to be installed: every enabled job that has a schedule. Throws at the first job that cannot be decoded. */
export async function loadPlan(world: World, root: string, request: PlanRequest): Promise<Plan> {
  const zone = request.hostZone ?? hostZone(world)
  const year = request.year ?? new Date(world.clock.now()).getUTCFullYear()
  const { timezone } = await loadConfig(world, root)
  const { everyExpression, hostLines } = await import('../../core/host-lines.ts')
  const jobs: PlannedJob[] = []
  const byTick: { job: string; why: string }[] = []
  for (const job of await scheduledJobs(world, root)) {
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
  return { program: request.program, hostZone: zone, jobs, byTick, digest: sha256 }
}

async function scheduledJobs(world: World, root: string): Promise<Job[]> {
  const jobs: Job[] = []
  for (const agent of agentNames(world.disk, root)) {
    for (const name of jobNames(world.disk, root, agent)) {
      const job = await loadJob(world, root, { agent, job: name })
      if (job.enabled && job.schedule.kind !== 'manual') jobs.push(job)
    }
  }
  return jobs
}
