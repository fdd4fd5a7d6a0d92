import { join } from 'node:path'
import { isClawError } from '../../core/claw-error.ts'
import type { Config } from '../../core/config.ts'
import type { DayWindow } from '../../core/day-window.ts'
import { heartbeatName, type Job } from '../../core/job.ts'
import type { Timing } from '../../core/schedule-text.ts'
import { agentNames } from '../../records/agents.ts'
import { jobNames, loadJob } from '../../records/jobs.ts'
import { agentDir } from '../../records/paths.ts'
import type { World } from '../../world/world.ts'
import { heartbeatShell } from '../heartbeat-job.ts'

/** A job as the schedule sees it. */
export interface TimedJob extends Timing {
  /** `<agent>/<job>` */
  key: string
  agent: string
  name: string
  isEnabled: boolean
  /** When its deliveries may go out. */
  active: DayWindow | null
}

export interface BrokenJob {
  key: string
  file: string
  why: string
}

/** Names of all jobs with job files, and of heartbeats where an agent has a checklist; sorted by agent. */
export interface JobName {
  agent: string
  name: string
  /** Undefined for a heartbeat, which is made of `claw.yaml`. */
  file: string | undefined
}

export function teamJobNames({ disk }: Pick<World, 'disk'>, root: string): JobName[] {
  return agentNames(disk, root).flatMap(agent => {
    const names = jobNames(disk, root, agent)
    const files = names.map((name): JobName => ({ agent, name, file: `agents/${agent}/jobs/${name}.md` }))
    const hasHeartbeat =
      !names.includes(heartbeatName) && disk.stat(join(agentDir(root, agent), 'HEARTBEAT.md')) !== undefined
    return hasHeartbeat ? [...files, { agent, name: heartbeatName, file: undefined }] : files
  })
}

/** One of them, decoded. Throws for a job file that cannot be used. */
export async function loadTeamJob(
  world: World,
  root: string,
  { config, agent, name, file, saveCache = false }: JobName & { config: Config; saveCache?: boolean },
): Promise<Job> {
  return file === undefined
    ? heartbeatShell(config, agent)
    : loadJob(world, root, { agent, job: name, saveCache })
}

/** All of them; heartbeats only where `claw.yaml` schedules them. */
export async function loadTeamJobs(
  world: World,
  root: string,
  config: Config,
): Promise<{ jobs: Job[]; broken: BrokenJob[] }> {
  const jobs: Job[] = []
  const broken: BrokenJob[] = []
  for (const named of teamJobNames(world, root)) {
    try {
      const job = await loadTeamJob(world, root, { ...named, config })
      if (named.file !== undefined || job.schedule.kind !== 'manual') jobs.push(job)
    } catch (error) {
      if (!isClawError(error, 'config-invalid', 'conflict')) throw error
      const { agent, name, file = '' } = named
      broken.push({ key: `${agent}/${name}`, file, why: error.message })
    }
  }
  return { jobs, broken }
}

export function timedJob(job: Job, { timezone }: Pick<Config, 'timezone'>): TimedJob {
  const { agent, name, schedule, tz, enabled, active = null } = job
  return {
    key: `${agent}/${name}`,
    agent,
    name,
    schedule,
    timeZone: tz ?? timezone,
    isEnabled: enabled && schedule.kind !== 'manual',
    active,
  }
}
