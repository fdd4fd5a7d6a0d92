import { join } from 'node:path'
import { exitCodes, isClawError } from '../../core/claw-error.ts'
import { type Job, jobKey } from '../../core/job.ts'
import { isObject } from '../../core/json-schema.ts'
import { fromIso, type Millis, minuteMs, toIso } from '../../core/millis.ts'
import { slotDir } from '../../records/paths.ts'
import { replaceFile } from '../../store/atomic-file.ts'
import type { World } from '../../world/world.ts'
import type { TickContext } from './context.ts'

/** A job of which nothing could be recorded: it is started again later, not each minute. */
export interface HeldJob {
  /** Ends in a row with exit 75. */
  tries: number
  until: Millis
  /** Its slots could not be claimed: as soon as they can, it is started. */
  isDiskFull: boolean
}

export type HeldJobs = Map<string, HeldJob>

/** Pauses of 1, 2, 4 minutes and so on, and at most this. */
const mostPauseMs = 30 * minuteMs

export const heldReason = 'nothing can be recorded of it now; it is started again later'

/** Whether a job may be started; tries out the disk where that is what it waits for. */
export function mayStart({ world, root, held }: TickContext, job: Job): boolean {
  const rest = held.get(jobKey(job))
  if (!rest) return true
  const leftMs = rest.until - world.clock.now()
  // A clock that was set back makes no pause longer.
  if (leftMs <= 0 || leftMs > mostPauseMs) return true
  return rest.isDiskFull && takesClaims(world, root, job)
}

/** Counts an end that could not be recorded. True when a person is to be told of this end. */
export function noteEnd({ world, root, held }: TickContext, job: Job, exitCode: number | null): boolean {
  const key = jobKey(job)
  if (exitCode !== exitCodes.notRecorded) {
    held.delete(key)
    return true
  }
  const tries = (held.get(key)?.tries ?? 0) + 1
  const pauseMs = Math.min(mostPauseMs, minuteMs * 2 ** (tries - 1))
  const until = world.clock.now() + pauseMs
  held.set(key, { tries, until, isDiskFull: !takesClaims(world, root, job) })
  return tries === 1
}

/** Writes as much as a claim where claims go, and takes it away again. */
function takesClaims(world: World, root: string, { agent, name }: Job): boolean {
  const path = join(slotDir(root, agent, name), '.probe')
  try {
    replaceFile(world, path, `${'-'.repeat(200)}\n`)
    world.disk.remove(path)
    return true
  } catch (error) {
    if (!isClawError(error)) throw error
    return false
  }
}

export function encodeHeld(held: HeldJobs): Record<string, unknown> {
  return Object.fromEntries([...held].map(([job, one]) => [job, { ...one, until: toIso(one.until) }]))
}

export function decodeHeld(value: unknown): HeldJobs {
  const held: HeldJobs = new Map()
  for (const [job, one] of Object.entries(isObject(value) ? value : {})) {
    if (!isObject(one) || typeof one['tries'] !== 'number') continue
    const until = typeof one['until'] === 'string' ? fromIso(one['until']) : undefined
    if (until !== undefined)
      held.set(job, { tries: one['tries'], until, isDiskFull: one['isDiskFull'] === true })
  }
  return held
}
