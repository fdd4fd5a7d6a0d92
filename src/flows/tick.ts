import { toIso } from '../core/millis.ts'
import { noteTick } from '../records/schedule.ts'
import type { TickSetup } from './tick/context.ts'
import { idleUntil } from './tick/due-file.ts'
import { emptyReport, type TickReport } from './tick/report.ts'

export type { TickReport } from './tick/report.ts'

/**
 * What the host's scheduler wakes each minute: it starts and accounts for what no
 * line of its own did, tells of runs that died, sends what waits, and once a day
 * tidies up. With nothing due it reads a few files and is gone.
 */
export async function tick(setup: TickSetup): Promise<TickReport> {
  const { world, root, dryRun } = setup
  if (dryRun || idleUntil(world, root) === undefined) {
    const { fullTick } = await import('./tick/full-tick.ts')
    return fullTick(setup)
  }
  noteTick(world, root)
  return emptyReport(toIso(world.clock.now()))
}
