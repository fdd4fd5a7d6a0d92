import { noteBroken } from '../../core/incident/broken-file.ts'
import { type Millis, toIso } from '../../core/millis.ts'
import { runId } from '../../core/run.ts'
import { peekIncidents, updateIncidents } from '../../records/incidents.ts'
import { sendNotices } from '../record-outcome.ts'
import type { TickContext } from './context.ts'
import type { Timings } from './timings.ts'

/**
 * A job file that cannot be used is an incident of its job, opened once. Returns when
 * the next of them is to be told; undefined when there is nothing to tell.
 */
export async function noteBrokenJobs(
  context: TickContext,
  { broken, jobs }: Pick<Timings, 'broken' | 'jobs'>,
): Promise<Millis | undefined> {
  const { world, root, dryRun } = context
  const now = world.clock.now()
  const files = broken.map(({ key: job, why }) => {
    return { job, why, id: runId(toIso(now), world.random.hex(6)) }
  })
  const isBroken = new Set(files.map(({ job }) => job))
  const isAwake = new Set(jobs.filter(({ isEnabled }) => isEnabled).map(({ key }) => key))
  const gone = (job: string): boolean => !isBroken.has(job) && !isAwake.has(job)
  const before = peekIncidents(world.disk, root)
  let noted = noteBroken(before, { broken: files, gone, now })
  if (noted.book === before || dryRun) return noted.alertAt
  await updateIncidents(world, root, book => {
    noted = noteBroken(book, { broken: files, gone, now })
    return noted.book
  })
  for (const { job, run, notice } of noted.alerts) await sendNotices(context, [notice], { job, run })
  return noted.alertAt
}
