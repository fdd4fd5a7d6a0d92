import { minuteMs } from '../../../core/millis.ts'
import { leaseFile } from '../../../records/paths.ts'
import { type Lease, takeLease } from '../../../store/lease.ts'
import type { RunContext } from '../open-run.ts'
import { runOwner } from '../run-owner.ts'
import { type Refusal, skipped } from './refusal.ts'

/** How long a scheduled run waits for its turn. Five jobs of one minute each on one seat end within it. */
const seatWaitMs = 15 * minuteMs
const retryMs = 500

/** A run is about 60 MB; with a child process twice that. */
const bytesPerRun = 128 * 1024 * 1024
const mostSeats = 16

/** Jobs of one minute take turns: so many run at a time on this host. A run by hand waits for nobody. */
export async function takeSeat(run: RunContext, leases: Lease[]): Promise<Refusal | undefined> {
  const { world, root, slot } = run
  if (slot === undefined) return undefined
  const seats = seatCount(run)
  const giveUpAt = world.clock.elapsed() + seatWaitMs
  for (let isTold = false; ; isTold = true) {
    for (let number = 1; number <= seats; number++) {
      const path = leaseFile(root, `seat-${world.host.hostname}-${number}`)
      const seat = await takeLease(world, path, { owner: () => runOwner(run, undefined), volume: 'local' })
      if (seat.kind === 'held') return void leases.push(seat)
    }
    if (world.clock.elapsed() >= giveUpAt)
      return skipped(`no turn within ${seatWaitMs / minuteMs} minutes: ${seats} runs at a time were going on`)
    if (!isTold) run.note(`waiting for a turn: ${seats} runs are going on`)
    await world.clock.sleep(retryMs)
  }
}

/** `limits.concurrentRuns`, else two a core and no more than fit into memory. */
export function seatCount({ config, world: { host } }: Pick<RunContext, 'config' | 'world'>): number {
  const { concurrentRuns } = config.limits
  if (concurrentRuns !== undefined) return concurrentRuns
  const fitting = Math.min(host.cpuCount * 2, Math.floor(host.freeMemoryBytes() / bytesPerRun))
  return Math.min(mostSeats, Math.max(1, fitting))
}
