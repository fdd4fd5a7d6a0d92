import { ClawError } from '../../core/claw-error.ts'
import { type Job, jobKey } from '../../core/job.ts'
import { fromIso, type Millis } from '../../core/millis.ts'
import { loadConfig } from '../../records/config.ts'
import type { World } from '../../world/world.ts'
import { hostZone } from '../cron-install/host-zone.ts'
import { namedJob } from './named-job.ts'
import { loadTeamJobs } from './team-jobs.ts'

export interface Fire {
  at: Millis
  job: string
  /** In which the job's schedule is read. */
  timeZone: string
}

export interface NextRequest {
  /** `<agent>/<job>`; undefined means all that are enabled. */
  job: string | undefined
  count: number
  /** ISO; default now. */
  from: string | undefined
}

export interface NextFires {
  fires: Fire[]
  hostZone: string
  /** Of the named job, when it will not fire although it has a schedule. */
  remark: string | undefined
}

/** The next moments at which jobs really fire, in order. Reads only. */
export async function nextFires(world: World, root: string, request: NextRequest): Promise<NextFires> {
  const { job, count } = request
  const after = momentOf(request.from, world.clock.now())
  const { nextSlots } = await import('../../core/cron.ts')
  const config = await loadConfig(world, root)
  const firesOf = (one: Job): Fire[] => {
    const timeZone = one.tz ?? config.timezone
    return nextSlots(one.schedule, timeZone, after, count).map(at => ({ at, job: jobKey(one), timeZone }))
  }
  if (job !== undefined) {
    const named = await namedJob(world, root, { config, job })
    const remark = named.enabled ? undefined : `${named.file} says enabled: false`
    return { fires: firesOf(named), hostZone: hostZone(world), remark }
  }
  const { jobs } = await loadTeamJobs(world, root, config)
  const fires = jobs.filter(({ enabled }) => enabled).flatMap(firesOf)
  fires.sort((a, b) => a.at - b.at)
  return { fires: fires.slice(0, count), hostZone: hostZone(world), remark: undefined }
}

/** Given moments count themselves: what fires right then is shown. */
function momentOf(given: string | undefined, now: Millis): Millis {
  if (given === undefined) return now
  const from = fromIso(given)
  if (from !== undefined) return from - 1
  throw new ClawError('usage', `--from must be an ISO instant such as 2026-11-28T00:30:00Z, not ${given}`)
}
