import assert from 'node:assert/strict'
import { listOutbox } from '../../src/flows/outbox.ts'
import { MemDisk } from '../../src/sim/mem-disk.ts'
import type { SimWorld } from '../../src/sim/sim-world.ts'
import { type CommandEnd, type Rig, command, goodText, product, rig, root, workspace } from './command-rig.ts'
import { assertSound, openLines, runsOf } from './sound.ts'

export type Side = 'keyed' | 'blind'

const fresh = MemDisk.fromTree(workspace, root)
const jobOf = { keyed: 'list', blind: 'blind' } as const

export interface RunSweepOptions {
  side: Side
  flags: readonly string[]
  /** Changes the rig that each run begins with, for a twin that is broken. */
  adapt?: (made: Rig) => Rig
}

/** A run with a delivery, for either sweep: the same state each time, the same command again, and what must then hold. */
export function runSweep({ side, flags, adapt = made => made }: RunSweepOptions) {
  const rigs = new WeakMap<SimWorld, Rig & { hadFinished: boolean }>()
  const job = jobOf[side]
  const of = (world: SimWorld) => rigs.get(world)!
  const run = (world: SimWorld): Promise<CommandEnd> => command(of(world), 'run', 'ann', job, ...flags)
  return {
    rigOf: of,
    start: () => {
      const made = adapt(rig({ disk: fresh.clone() }))
      rigs.set(made.world, { ...made, hadFinished: false })
      return made.world
    },
    act: run,
    between: (world: SimWorld, where: string) => {
      const made = of(world)
      const text = world.disk.text(product)
      assert.ok(text === undefined || text === goodText, `${where}: half an artifact: ${text}`)
      // A repetition by hand of a run that had also let its lease go is a run of its own.
      const hasLetGo = world.disk.text(`${root}/.claw/leases/ann.${job}.owner`) === undefined
      const hasSent = listOutbox(world, root, { all: true }).some(({ state }) => state === 'delivered')
      made.hadFinished =
        hasLetGo && flags.length === 0 && hasSent && runsOf(made).some(({ state }) => state === 'ok')
    },
    again: async (world: SimWorld) => {
      world.clock.advance(60_000)
      const { exitCode, err } = await run(world)
      assert.equal(exitCode, 0, err)
    },
    check: async (world: SimWorld, where: string) => {
      const made = of(world)
      await assertSound(made, where)
      assert.match(world.disk.text(product) ?? '', /^# News\n[^]*as well\.\n(\nAnswer \d+\.\n)?$/, where)
      await assertArrived(made, { side, times: made.hadFinished ? 2 : 1, where })
    },
    acked: (world: SimWorld, where: string) => {
      const made = of(world)
      assert.deepEqual(
        runsOf(made).map(({ state }) => state),
        ['ok'],
        where,
      )
      assert.equal(made.otherSide[side].received.length, 1, where)
      assert.equal(world.disk.text(product), goodText, where)
    },
  }
}

/** Keyed: exactly so often. Blind: never more often, and what is missing is listed as unknown. */
async function assertArrived(
  made: Rig,
  { side, times, where }: { side: Side; times: number; where: string },
): Promise<void> {
  const arrived = made.otherSide[side].received.length
  if (side === 'keyed') return assert.equal(arrived, times, `${where}: arrived ${arrived} times`)
  assert.ok(arrived <= times, `${where}: arrived ${arrived} times`)
  if (arrived === times) return
  const states = (await openLines(made)).map(({ state }) => state)
  assert.deepEqual(states, ['unknown'], `${where}: ${times - arrived} did not arrive and nobody says so`)
}
