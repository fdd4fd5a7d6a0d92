import { toIso } from '../../core/millis.ts'
import { recordEvent } from '../../records/events.ts'
import { updateIncidents } from '../../records/incidents.ts'
import type { World } from '../../world/world.ts'
import { jobNamed } from './named-job.ts'

export interface PauseReport {
  job: string
  paused: { at: string; reason: string } | null
  changed: boolean
}

/** From now on each slot of the job is a recorded skip; runs by hand go on. */
export async function pauseJob(
  world: World,
  root: string,
  { job, reason }: { job: string; reason: string | undefined },
): Promise<PauseReport> {
  const key = keyOf(world, root, job)
  const own = { at: toIso(world.clock.now()), reason: reason ?? 'by hand' }
  let report: PauseReport = { job: key, paused: own, changed: true }
  await updateIncidents(world, root, book => {
    const before = book.paused[key]
    if (before) report = { job: key, paused: before, changed: false }
    return before ? book : { ...book, paused: { ...book.paused, [key]: own } }
  })
  if (report.changed)
    await recordEvent(world, root, { type: 'job.paused', subject: key, text: `paused: ${own.reason}` })
  return report
}

/** Lets it run again, and counts its bad runs anew, so that one more does not stop it at once. */
export async function resumeJob(world: World, root: string, job: string): Promise<PauseReport> {
  const key = keyOf(world, root, job)
  let changed = false
  await updateIncidents(world, root, book => {
    const { [key]: pause, ...paused } = book.paused
    changed = pause !== undefined
    if (!changed) return book
    const { [key]: _, ...streaks } = book.streaks
    return { ...book, paused, streaks }
  })
  if (changed) await recordEvent(world, root, { type: 'job.resumed', subject: key, text: 'resumed' })
  return { job: key, paused: null, changed }
}

/** A job whose file is broken can be named as well: it is the first that one wants to stop. */
function keyOf(world: World, root: string, job: string): string {
  const { agent, name } = jobNamed(world, root, job)
  return `${agent}/${name}`
}
