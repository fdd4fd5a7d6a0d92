import { type Job, jobKey } from '../../core/job.ts'
import { toIso } from '../../core/millis.ts'
import { type RunState, stateWord } from '../../core/run.ts'
import { scheduleWords } from '../../core/schedule-text.ts'
import { assertAgent } from '../../records/agents.ts'
import { loadConfig } from '../../records/config.ts'
import { peekIncidents } from '../../records/incidents.ts'
import { peekJobStatuses } from '../../records/runs.ts'
import type { World } from '../../world/world.ts'
import { hostZone } from '../cron-install/host-zone.ts'
import { type BrokenJob, loadTeamJobs } from './team-jobs.ts'

/** What `cron list --json` prints of a job. */
export interface ScheduledJob {
  job: string
  enabled: boolean
  /** Five fields, `every 30m`, `at <ISO>` or `by hand`. */
  schedule: string
  tz: string
  /** ISO; null when nothing fires any more, or the job is disabled. */
  next: string | null
  /** `missed` for a slot that nobody ran in time. */
  last: { state: RunState | 'missed'; at: string } | null
  paused: { at: string; reason: string } | null
}

export interface CronList {
  jobs: ScheduledJob[]
  /** Job files that cannot be used. */
  broken: BrokenJob[]
  /** In which the host's scheduler counts. */
  hostZone: string
}

/** Every job of the team, or of one agent, with its next moment and its last outcome. Reads only. */
export async function listCron(world: World, root: string, only?: string): Promise<CronList> {
  if (only !== undefined) assertAgent(world.disk, root, only)
  const { timezone, ...config } = await loadConfig(world, root)
  const { jobs, broken } = await loadTeamJobs(world, root, { ...config, timezone })
  const { nextSlots } = await import('../../core/cron.ts')
  const nextOf = ({ enabled, schedule }: Job, timeZone: string): string | null => {
    const [next] = enabled ? nextSlots(schedule, timeZone, world.clock.now(), 1) : []
    return next === undefined ? null : toIso(next)
  }
  const statuses = peekJobStatuses(world.disk, root)
  const { paused } = peekIncidents(world.disk, root)
  const isMeant = (key: string): boolean => only === undefined || key.startsWith(`${only}/`)
  const lines = jobs
    .filter(job => isMeant(jobKey(job)))
    .map((job): ScheduledJob => {
      const key = jobKey(job)
      const status = statuses.get(key)
      const timeZone = job.tz ?? timezone
      return {
        job: key,
        enabled: job.enabled,
        schedule: scheduleWords(job.schedule),
        tz: timeZone,
        next: nextOf(job, timeZone),
        last: status ? { state: stateWord(status), at: status.at } : null,
        paused: paused[key] ?? null,
      }
    })
  return { jobs: lines, broken: broken.filter(({ key }) => isMeant(key)), hostZone: hostZone(world) }
}
