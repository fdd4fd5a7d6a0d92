import { type FaultKind, canHit } from './disk-fault.ts'
import type { NumberedCall } from './mem-disk.ts'
import type { PowerLoss } from './mem-inode.ts'
import { ProcessDeath } from './process-death.ts'
import { SeededRandom } from './seeded-random.ts'
import type { SimWorld } from './sim-world.ts'

export type Reboot = 'process' | PowerLoss

type Check = (world: SimWorld, where: string) => unknown

export interface Sweep {
  /** The same state at each call; a new world, or one over `disk.clone()`. */
  start: () => SimWorld | Promise<SimWorld>
  act: (world: SimWorld) => Promise<unknown>
  /** The next run, after the machine is back. Default `act`. */
  again?: (world: SimWorld) => Promise<unknown>
  /** What must hold after the next run. */
  check: Check
  /** What must hold as soon as the machine is back, before the next run. */
  between?: Check
  /** What must hold when `act` had finished, before the next run. Default `check`, unless `again` is given. */
  acked?: Check
  /** Default: process death and every kind of lost power. */
  reboots?: readonly Reboot[]
  /** At most so many runs, drawn by a fixed seed; default all. */
  sample?: number
}

export interface CrashSweep extends Sweep {
  kinds?: readonly ('kill' | 'torn' | 'kill-after')[]
}

export interface Swept {
  /** Disk calls at which something went wrong. */
  points: number
  runs: number
  /** Runs without `sample`. */
  of: number
}

export const everyReboot: readonly Reboot[] = ['process', 'power', 'power-entries', 'power-torn']

/**
 * Kills the process at every mutating disk call of `act`, reboots in every way,
 * runs again, checks. Throws at the first failure, with the place in its message.
 */
export async function sweepCrashes(sweep: CrashSweep): Promise<Swept> {
  const { kinds = ['kill', 'torn', 'kill-after'], reboots = everyReboot } = sweep
  const points = (await cleanRun(sweep)).filter(call => call.mutates)
  const all = points.flatMap(point =>
    kinds
      .filter(kind => canHit(kind, point.name))
      .flatMap(kind => reboots.map(reboot => ({ point, kind, reboot }))),
  )
  const runs = drawn(all, sweep.sample)
  for (const { point, kind, reboot } of runs) await crashAt(sweep, point, kind, reboot)
  return { points: new Set(runs.map(({ point }) => point)).size, runs: runs.length, of: all.length }
}

/** The same ones each time, in their order, so that a failure comes again. */
export function drawn<T>(all: readonly T[], count = all.length): T[] {
  if (count >= all.length) return [...all]
  const random = new SeededRandom(1)
  const ranked = all.map((_, index) => ({ index, rank: random.fraction() })).sort((a, b) => a.rank - b.rank)
  const chosen = ranked.slice(0, count).map(({ index }) => index)
  return chosen.sort((a, b) => a - b).map(index => all[index]!)
}

/** Runs `act` without a fault, then each reboot: what was acknowledged must be there. Returns its disk calls. */
export async function cleanRun(sweep: Sweep): Promise<NumberedCall[]> {
  let calls: NumberedCall[] = []
  for (const reboot of sweep.reboots ?? everyReboot) {
    const where = `after a clean run and ${reboot}`
    const world = await sweep.start()
    world.disk.calls = []
    await located(where, () => sweep.act(world))
    calls = world.disk.calls
    world.reboot(reboot)
    await checkAcked(sweep, world, where)
    await runAgain(sweep, world, where)
  }
  return calls
}

export async function checkAcked(sweep: Sweep, world: SimWorld, where: string): Promise<void> {
  const check = sweep.acked ?? (sweep.again ? undefined : sweep.check)
  await located(where, () => check?.(world, where))
}

export async function runAgain(sweep: Sweep, world: SimWorld, where: string): Promise<void> {
  await located(where, () => sweep.between?.(world, where))
  await located(`${where}, in the next run`, () => (sweep.again ?? sweep.act)(world))
  await located(where, () => sweep.check(world, where))
}

/** As it is, with the place in front of the message of what it throws. */
export async function located<T>(where: string, body: () => T | Promise<T>): Promise<T> {
  try {
    return await body()
  } catch (error) {
    if (error instanceof Error && !error.message.startsWith(where)) {
      error.message = `${where}: ${error.message}`
    }
    throw error
  }
}

async function crashAt(sweep: Sweep, point: NumberedCall, kind: FaultKind, reboot: Reboot): Promise<void> {
  const where = `${kind} at call ${point.number} (${point.name} ${point.path}), then ${reboot}`
  const world = await sweep.start()
  world.disk.calls = []
  world.disk.fault = { at: point.number, kind }
  await located(where, async () => {
    try {
      await sweep.act(world)
    } catch (error) {
      if (!isDeath(error)) throw error
    }
    if (!world.disk.isDead) throw new Error('the call was not reached: `act` differs from run to run')
  })
  world.reboot(reboot)
  await runAgain(sweep, world, where)
}

/** Also when it was wrapped on its way up. */
function isDeath(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof ProcessDeath) return true
  }
  return false
}
