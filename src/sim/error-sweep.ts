import {
  type Reboot,
  type Sweep,
  type Swept,
  checkAcked,
  cleanRun,
  drawn,
  everyReboot,
  located,
  runAgain,
} from './crash-sweep.ts'
import { type Errno, canHit } from './disk-fault.ts'
import type { NumberedCall } from './mem-disk.ts'
import { ClawError } from '../core/claw-error.ts'

/** How `act` ended: a thrown error, or the exit code it returned (as a number or in `exitCode`), 0 when it returned none. */
export type ActOutcome = { kind: 'threw'; error: unknown } | { kind: 'finished'; exitCode: number }

export interface ErrorSweep extends Sweep {
  /** Default: all of them. EIO strikes at reads too. */
  errnos?: readonly (Errno | 'short')[]
  /** Default: once and for good. */
  sticky?: readonly boolean[]
  /** Judges how `act` ended under the fault. Default: anything but a throw that is no `ClawError`. */
  outcome?: (outcome: ActOutcome, where: string) => unknown
}

interface FaultRun {
  point: NumberedCall
  kind: Errno | 'short'
  sticky: boolean
  reboot: Reboot
}

/**
 * Each error at every disk call of `act` that it can hit, once and for good.
 * What `act` reports as done must survive; then, without the fault, the next run
 * and the check.
 */
export async function sweepErrors(sweep: ErrorSweep): Promise<Swept> {
  const { errnos = ['ENOSPC', 'EIO', 'EDQUOT', 'EROFS', 'short'] } = sweep
  const { sticky: stays = [false, true], reboots = everyReboot } = sweep
  const all = (await cleanRun(sweep)).flatMap(point =>
    errnos
      .filter(kind => canHit(kind, point.name))
      .flatMap(kind =>
        stays.flatMap(sticky => reboots.map((reboot): FaultRun => ({ point, kind, sticky, reboot }))),
      ),
  )
  const runs = drawn(all, sweep.sample)
  for (const run of runs) await failAt(sweep, run)
  return { points: new Set(runs.map(({ point }) => point)).size, runs: runs.length, of: all.length }
}

async function failAt(sweep: ErrorSweep, { point, kind, sticky, reboot }: FaultRun): Promise<void> {
  const stays = sticky ? ', for good,' : ''
  const where = `${kind}${stays} at call ${point.number} (${point.name} ${point.path}), then ${reboot}`
  const world = await sweep.start()
  world.disk.calls = []
  world.disk.fault = { at: point.number, kind, sticky }
  const outcome = await outcomeOf(() => sweep.act(world))
  await located(where, () => (sweep.outcome ?? expectClawError)(outcome, where))
  world.reboot(reboot)
  if (outcome.kind === 'finished' && outcome.exitCode === 0) await checkAcked(sweep, world, where)
  await runAgain(sweep, world, where)
}

async function outcomeOf(act: () => Promise<unknown>): Promise<ActOutcome> {
  try {
    return { kind: 'finished', exitCode: exitCodeOf(await act()) }
  } catch (error) {
    return { kind: 'threw', error }
  }
}

function exitCodeOf(result: unknown): number {
  if (typeof result === 'number') return result
  if (typeof result === 'object' && result !== null && 'exitCode' in result) {
    if (typeof result.exitCode === 'number') return result.exitCode
  }
  return 0
}

function expectClawError(outcome: ActOutcome): void {
  if (outcome.kind === 'threw' && !(outcome.error instanceof ClawError)) throw outcome.error
}
