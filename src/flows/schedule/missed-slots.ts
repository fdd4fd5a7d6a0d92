import { minuteMs, toIso } from '../../core/millis.ts'
import { peekLastTick } from '../../records/schedule.ts'
import type { World } from '../../world/world.ts'

/** Fifteen wake-ups that did not come are no accident. */
const silenceMs = 15 * minuteMs

/** How many are named in the warning. */
const named = 5

export interface MissedSlot {
  /** `<agent>/<job>` */
  job: string
  /** ISO */
  slot: string
}

export interface ScheduleState {
  /** ISO; null when `tick` never ran here. */
  lastTick: string | null
  /** Due since then, and nobody has begun them; newest first. Empty while ticks come. */
  missed: MissedSlot[]
  /** What to tell a person; undefined when all is well. */
  warning: string | undefined
}

/** Whether the host still wakes this team, and what it missed. One small file is read while it does. */
export async function scheduleState(world: World, root: string): Promise<ScheduleState> {
  const lastTick = peekLastTick(world.disk, root)
  if (lastTick === undefined) return { lastTick: null, missed: [], warning: undefined }
  const at = toIso(lastTick)
  if (world.clock.now() - lastTick < silenceMs) return { lastTick: at, missed: [], warning: undefined }
  const { missedSince } = await import('./missed-since.ts')
  const missed = await missedSince(world, root, lastTick)
  return { lastTick: at, missed, warning: warningOf(at, missed) }
}

function warningOf(lastTick: string, missed: readonly MissedSlot[]): string {
  const next = 'look at claw doctor and crontab -l'
  if (missed.length === 0)
    return `claw tick has not run since ${lastTick}, and no slot was missed so far; ${next}`
  const newest = missed.slice(0, named).map(({ job, slot }) => `${job} ${slot.slice(0, 16)}Z`)
  const rest = missed.length > named ? ` and ${missed.length - named} more` : ''
  const slots = missed.length === 1 ? '1 slot was' : `${missed.length} slots were`
  return `claw tick has not run since ${lastTick}, and ${slots} not run: ${newest.join(', ')}${rest}; ${next}`
}
