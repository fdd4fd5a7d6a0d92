import { toIso, hourMs, type Millis, minuteMs } from '../../src/core/millis.ts'
import { ProcessDeath } from '../../src/sim/process-death.ts'
import { SeededRandom } from '../../src/sim/seeded-random.ts'
import type { SimWorld } from '../../src/sim/sim-world.ts'
import { command, nextProcess, type Rig, rig } from '../flows/command-rig.ts'
import { runsOf } from '../flows/sound.ts'
import { hourlyJob, launching } from '../flows/tick-rig.ts'

export interface TickStorm {
  slots: number
  seed?: number
  /** Ticks at the same time. */
  ticks?: number
  /** Changes each process, for a twin that is broken. */
  adapt?: (world: SimWorld) => SimWorld
}

export interface TickStormResult {
  kills: number
  /** Slots with more than one good run, or a text that arrived twice. */
  doubled: string[]
  /** Slots that nothing is told of. */
  silent: string[]
  /** Slots with a good run. */
  ran: number
  made: Rig
}

const begin = Date.parse('2026-11-02T00:00:00Z')

/** Each hour a slot, and for each slot several ticks at once, of which some are killed, as are some of the runs they start. */
export async function tickStorm({
  slots,
  seed = 14,
  ticks = 8,
  adapt = world => world,
}: TickStorm): Promise<TickStormResult> {
  const dice = new SeededRandom(seed)
  const storm: Storm = { kills: 0, made: stormRig(dice, adapt), dice, ticks }
  await command(storm.made, 'tick', '--quiet')
  for (let hour = 1; hour <= slots; hour++) await oneSlot(storm, begin + hour * hourMs)
  return { kills: storm.kills, made: storm.made, ...ends(storm.made, slots) }
}

interface Storm {
  kills: number
  made: Rig
  dice: SeededRandom
  ticks: number
}

function stormRig(dice: SeededRandom, adapt: (world: SimWorld) => SimWorld): Rig {
  const made = rig({ now: toIso(begin), files: hourlyJob })
  const world = adapt(made.world)
  const ports = launching(world, made.ports, started => maybeKill(started, dice, 0.25))
  return { ...made, world, ports }
}

function maybeKill({ disk }: SimWorld, dice: SeededRandom, share: number): void {
  if (dice.fraction() >= share) return
  const kind = dice.fraction() < 0.5 ? 'kill' : 'kill-after'
  disk.fault = { at: 1 + Math.floor(dice.fraction() * 150), kind }
}

async function oneSlot(storm: Storm, slot: Millis): Promise<void> {
  const { made, dice, ticks } = storm
  made.world.clock.set(slot + minuteMs + 2_000)
  let { world } = made
  const all = Array.from({ length: ticks }, () => {
    world = world.another()
    maybeKill(world, dice, 0.4)
    return { ...made, world }
  })
  const died = await Promise.all(all.map(diedInTick))
  storm.kills += died.filter(Boolean).length
  for (let calm = 0; calm < 4; calm++) await diedInTick(nextProcess(made))
}

async function diedInTick(of: Rig): Promise<boolean> {
  try {
    await command(of, 'tick', '--quiet')
    return false
  } catch (error) {
    if (!(error instanceof ProcessDeath)) throw error
    of.world.reboot('process')
    return true
  }
}

function ends(made: Rig, slots: number): Pick<TickStormResult, 'doubled' | 'silent' | 'ran'> {
  const records = new Map<string, string[]>()
  for (const { slot, state } of runsOf(made, slots * 20)) {
    if (slot !== null) records.set(slot, [...(records.get(slot) ?? []), state])
  }
  const all = Array.from({ length: slots }, (_, hour) => toIso(begin + (hour + 1) * hourMs))
  const keys = made.otherSide.keyed.received.map(({ key }) => key)
  const twice = keys.filter((key, index) => keys.indexOf(key) !== index)
  const good = (slot: string): number => (records.get(slot) ?? []).filter(state => state === 'ok').length
  return {
    doubled: [...all.filter(slot => good(slot) > 1), ...twice],
    silent: all.filter(slot => !records.has(slot)),
    ran: all.filter(slot => good(slot) === 1).length,
  }
}
