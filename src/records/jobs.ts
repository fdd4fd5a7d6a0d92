import { ClawError } from '../core/claw-error.ts'
import { decodeJob, type Job } from '../core/job.ts'
import { nearest } from '../core/nearest.ts'
import { parseDoc } from '../store/doc.ts'
import { readText } from '../store/text.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { DecodeCache } from './decode-cache.ts'
import { configInvalid, decodedFrom } from './decoded.ts'
import { jobFile, jobsDir } from './paths.ts'

/** Names of the jobs of an agent, sorted. */
export function jobNames(disk: Disk, root: string, agent: string): string[] {
  const entries = disk.list(jobsDir(root, agent)) ?? []
  return entries
    .filter(({ name }) => name.endsWith('.md') && !name.startsWith('.'))
    .map(entry => entry.name.slice(0, -3))
}

/** Decodes one job; throws `not-found` with the nearest name, or `config-invalid` with file, line and column. */
export async function loadJob(
  world: World,
  root: string,
  { agent, job, saveCache = false }: { agent: string; job: string; saveCache?: boolean },
): Promise<Job> {
  const file = `agents/${agent}/jobs/${job}.md`
  const source = isName(job) ? readText(world.disk, jobFile(root, agent, job)) : undefined
  if (source === undefined) throw noSuchJob(jobNames(world.disk, root, agent), agent, job)
  const cache = new DecodeCache<Job>(world, root, `job-${agent}-${job}`)
  const known = cache.get(file, source)
  if (known) return known
  const doc = await parseDoc(file, source)
  const decoded = decodedFrom(file, doc.locate, () =>
    decodeJob({ agent, name: job, file }, doc.value, doc.body),
  )
  if (decoded.schedule.kind === 'cron') {
    const { cronProblem } = await import('../core/cron.ts')
    const problem = cronProblem(decoded.schedule.expression, decoded.tz ?? 'UTC')
    if (problem) throw configInvalid(file, doc.locate, ['schedule'], problem)
  }
  cache.put(file, source, decoded)
  if (saveCache) cache.save()
  return decoded
}

/** A name, not a path: slots and leases are files named for it. */
function isName(job: string): boolean {
  return /^[^./\\\0][^/\\\0]*$/.test(job)
}

function noSuchJob(names: string[], agent: string, job: string): ClawError {
  const meant = nearest(job, names)
  const hint = meant
    ? `did you mean ${agent}/${meant}?`
    : names.length > 0
      ? `jobs of ${agent}: ${names.join(', ')}`
      : `${agent} has no jobs; write one in agents/${agent}/jobs/${job}.md`
  return new ClawError('not-found', `no job ${agent}/${job}`, { hint })
}
