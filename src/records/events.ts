import { toIso } from '../core/millis.ts'
import { withLock } from '../store/lock.ts'
import { appendToSegment } from '../store/segments.ts'
import type { World } from '../world/world.ts'
import { eventsDir, lockFile } from './paths.ts'

/** What happened that is not a run: skips, warnings, damage, recoveries. For people and `claw logs`. */
export interface ClawEvent {
  type: string
  /** `<agent>/<job>` or the agent. */
  subject: string
  text: string
  [key: string]: unknown
}

export async function recordEvent(world: World, root: string, event: ClawEvent): Promise<void> {
  const now = world.clock.now()
  await withLock(world, lockFile(root, 'events'), held =>
    appendToSegment(held, world.disk, eventsDir(root), [{ ...event, at: toIso(now) }], {
      at: now,
      unit: 'month',
      kind: 'events',
    }),
  )
}
