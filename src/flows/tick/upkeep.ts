import { join } from 'node:path'
import { isClawError } from '../../core/claw-error.ts'
import type { Config } from '../../core/config.ts'
import { isObject } from '../../core/json-schema.ts'
import { dayMs, type Millis, minuteMs } from '../../core/millis.ts'
import { minutesOf } from '../../core/day-window.ts'
import { indexDir } from '../../records/paths.ts'
import { readJsonFile, replaceJson } from '../../store/json-file.ts'
import type { World } from '../../world/world.ts'
import type { TickContext } from './context.ts'
import { turnLaunchdLog } from './upkeep/launchd-log.ts'
import { oldFiles, type UpkeepKind, upkeepKinds } from './upkeep/old-files.ts'
import { forgetSessions } from './upkeep/old-sessions.ts'
import { removeAll } from './upkeep/remove.ts'

/** What was removed, by kind. */
export type UpkeepCounts = Record<UpkeepKind | 'sessions', number>

const stampFile = (root: string): string => join(indexDir(root), 'upkeep.json')

/**
 * Once a local day: what nobody asks for any more goes, so that disk and look-ups do
 * not grow for ever. Never what cannot be read, and never what a person wrote.
 */
export async function upkeep({ world, root, config, report, note, dryRun }: TickContext): Promise<void> {
  const today = world.clock.local(world.clock.now(), config.timezone).date
  if (stampOf(world, root) === today) return
  const counts = { sessions: await forgetSessions(world, root, { dryRun }) } as UpkeepCounts
  for (const kind of upkeepKinds) {
    const files = oldFiles(world, root, kind)
    counts[kind] = dryRun ? files.length : removeAll(world.disk, files)
  }
  report.upkeep = counts
  if (dryRun) return
  turnLaunchdLog(world.disk, root)
  replaceJson(world, stampFile(root), { on: today }, { durable: false })
  const told = Object.entries(counts).filter(([, count]) => count > 0)
  if (told.length > 0) note(`tidied up: ${told.map(([kind, count]) => `${count} ${kind}`).join(', ')}`)
}

/** Now, or the next local midnight. */
export function upkeepDueAt(
  world: Pick<World, 'disk' | 'clock'>,
  root: string,
  { timezone }: Pick<Config, 'timezone'>,
): Millis {
  const now = world.clock.now()
  const { date, time } = world.clock.local(now, timezone)
  if (stampOf(world, root) !== date) return now
  return now + dayMs - (minutesOf(time) ?? 0) * minuteMs
}

function stampOf({ disk }: Pick<World, 'disk'>, root: string): string | undefined {
  try {
    const file = readJsonFile(disk, stampFile(root))
    if (file.state === 'ok' && isObject(file.value)) return String(file.value['on'])
  } catch (error) {
    if (!isClawError(error)) throw error
  }
  return undefined
}
