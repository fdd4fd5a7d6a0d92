import { join } from 'node:path'
import { isClawError } from '../../core/claw-error.ts'
import { isObject } from '../../core/json-schema.ts'
import { indexDir } from '../../records/paths.ts'
import { type BrokenJob, loadTeamJob, teamJobNames, timedJob, type TimedJob } from '../schedule/team-jobs.ts'
import type { TickContext } from './context.ts'
import { peekKept, replaceKept } from './kept-file.ts'
import { configSign, jobSigns } from './signs.ts'

export interface Timings {
  jobs: TimedJob[]
  broken: BrokenJob[]
  /** Of the job files, as they were when they were looked at. */
  signs: string[]
  /** Of `claw.yaml`. */
  config: string
}

type Known = Record<string, TimedJob>

const timingsFile = (root: string): string => join(indexDir(root), 'timings.json')

/** When each job of the team is due; only files that changed since the last tick are decoded. */
export async function loadTimings(context: TickContext): Promise<Timings> {
  const { world, root, config, dryRun } = context
  const timings: Timings = { jobs: [], broken: [], signs: [], config: configSign(world.disk, root) }
  const before = knownTimings(context, timings.config)
  const known: Known = {}
  let isNew = false
  // The signatures first: a file that changes in between is looked at again by the next tick.
  const signed = jobSigns(world.disk, root)
  timings.signs = signed.map(({ sign }) => sign)
  const signOf = new Map(signed.map(({ agent, name, sign }) => [`${agent}/${name}`, sign]))
  for (const job of teamJobNames(world, root)) {
    const name = job.file === undefined ? undefined : job.name
    const sign = signOf.get(`${job.agent}/${name}`) ?? ''
    try {
      const decode = () => loadTeamJob(world, root, { ...job, config, saveCache: !dryRun })
      const seen = before[sign]
      const timed = seen ?? timedJob(await decode(), config)
      if (!seen && sign !== '') isNew = true
      known[sign] = timed
      timings.jobs.push(timed)
    } catch (error) {
      if (!isClawError(error, 'config-invalid', 'not-found', 'conflict')) throw error
      const { agent, file = '' } = job
      timings.broken.push({ key: `${agent}/${job.name}`, file, why: error.message })
    }
  }
  delete known['']
  if (isNew && !dryRun) replaceKept(world, timingsFile(root), { config: timings.config, known })
  return timings
}

/** By signature of the job file; empty when `claw.yaml` has changed, where the zone of the team stands. */
function knownTimings({ world, root }: TickContext, config: string): Known {
  const kept = peekKept(world.disk, timingsFile(root))
  return isObject(kept) && kept['config'] === config && isObject(kept['known'])
    ? (kept['known'] as Known)
    : {}
}
