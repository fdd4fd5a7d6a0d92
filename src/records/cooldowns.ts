import { isObject } from '../core/json-schema.ts'
import {
  type Cooldown,
  type CooldownEvent,
  type Cooldowns,
  foldCooldown,
  liveCooldowns,
} from '../core/cooldown.ts'
import { readJsonFile, replaceJson } from '../store/json-file.ts'
import { withLock } from '../store/lock.ts'
import { setAside } from '../store/quarantine.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { cooldownFile, lockFile } from './paths.ts'

/** Which models and credentials rest, and until when. Damage reads as "nobody rests": at worst one call is refused again. */
export function peekCooldowns(disk: Disk, root: string): Cooldowns {
  const file = readJsonFile(disk, cooldownFile(root))
  if (file.state !== 'ok' || !isObject(file.value)) return {}
  return Object.fromEntries(
    Object.entries(file.value).filter((entry): entry is [string, Cooldown] => isCooldown(entry[1])),
  )
}

function isCooldown(value: unknown): value is Cooldown {
  return isObject(value) && ['failures', 'at', 'until'].every(key => typeof value[key] === 'number')
}

/** Folds events into the file; bytes that cannot be read are set aside first. */
export async function recordCooldowns(
  world: World,
  root: string,
  events: readonly CooldownEvent[],
): Promise<void> {
  if (events.length === 0) return
  const path = cooldownFile(root)
  await withLock(world, lockFile(root, 'cooldowns'), () => {
    const file = readJsonFile(world.disk, path)
    if (file.state === 'damaged') setAside(world, root, path, file.why)
    const folded = events.reduce(foldCooldown, peekCooldowns(world.disk, root))
    replaceJson(world, path, liveCooldowns(folded, world.clock.now()), { durable: false })
  })
}
