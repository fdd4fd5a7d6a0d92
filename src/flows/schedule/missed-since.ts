import { isClawError } from '../../core/claw-error.ts'
import { slotsBetween } from '../../core/cron.ts'
import { type Millis, minuteMs, toIso } from '../../core/millis.ts'
import { loadConfig } from '../../records/config.ts'
import { peekWatches } from '../../records/schedule.ts'
import { peekClaims } from '../../records/slots.ts'
import type { World } from '../../world/world.ts'
import { ranBefore } from '../run-job/admit/claim-slot.ts'
import type { MissedSlot } from './missed-slots.ts'
import { loadTeamJobs, timedJob } from './team-jobs.ts'

/** Slots of one job that are looked at. */
const mostPerJob = 200

/** Slots that came due and that nobody has begun; newest first. Reads only. */
export async function missedSince(world: World, root: string, lastTick: Millis): Promise<MissedSlot[]> {
  const { disk } = world
  const now = world.clock.now()
  const watches = peekWatches(disk, root)
  const missed: MissedSlot[] = []
  for (const { key, agent, name, schedule, timeZone } of await enabledJobs(world, root)) {
    const after = Math.min(watches[key]?.through ?? lastTick, now)
    for (const slot of slotsBetween(schedule, timeZone, after, now - minuteMs, mostPerJob)) {
      const slotName = { agent, job: name, slot }
      if (peekClaims(disk, root, slotName).length > 0 || ranBefore(disk, root, slotName)) continue
      missed.push({ job: key, slot: toIso(slot) })
    }
  }
  return missed.sort((a, b) => Number(a.slot < b.slot) - Number(a.slot > b.slot))
}

async function enabledJobs(world: World, root: string) {
  try {
    const config = await loadConfig(world, root)
    const { jobs } = await loadTeamJobs(world, root, config)
    return jobs.map(job => timedJob(job, config)).filter(({ isEnabled }) => isEnabled)
  } catch (error) {
    // What is wrong with claw.yaml is told by the command itself, or by doctor.
    if (isClawError(error, 'config-invalid', 'not-found')) return []
    throw error
  }
}
