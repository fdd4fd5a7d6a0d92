import { ClawError } from '../../core/claw-error.ts'
import type { Config } from '../../core/config.ts'
import type { Job } from '../../core/job.ts'
import { nearestHint } from '../../core/nearest.ts'
import { assertAgent } from '../../records/agents.ts'
import type { World } from '../../world/world.ts'
import { type JobName, loadTeamJob, teamJobNames } from './team-jobs.ts'

/** What a person named as `<agent>/<job>`; throws `usage` or `not-found` with what was meant. Decodes nothing. */
export function jobNamed(world: Pick<World, 'disk'>, root: string, job: string): JobName {
  const all = teamJobNames(world, root)
  const keys = all.map(({ agent, name }) => `${agent}/${name}`)
  const found = all.find(({ agent, name }) => `${agent}/${name}` === job)
  if (found) return found
  const [agent = '', ...rest] = job.split('/')
  if (rest.length !== 1) {
    const same = keys.find(key => key.endsWith(`/${job}`))
    const hint = same === undefined ? nearestHint(job, keys, 'jobs') : `did you mean ${same}?`
    throw new ClawError('usage', `a job is named <agent>/<job>, not ${job}`, { hint })
  }
  assertAgent(world.disk, root, agent)
  const own = keys.filter(key => key.startsWith(`${agent}/`))
  throw new ClawError('not-found', `no job ${job}`, { hint: nearestHint(job, own, `jobs of ${agent}`) })
}

/** The same, decoded. */
export function namedJob(
  world: World,
  root: string,
  { config, job }: { config: Config; job: string },
): Promise<Job> {
  return loadTeamJob(world, root, { ...jobNamed(world, root, job), config })
}
