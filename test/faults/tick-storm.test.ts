import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { SimWorld } from '../../src/sim/sim-world.ts'
import { warmUp } from '../flows/command-rig.ts'
import { tickStorm } from './tick-storm.ts'

before(warmUp)

/** A thousand with SWEEP=all. */
const slots = process.env['SWEEP'] === 'all' ? 1_000 : 100

test('eight ticks at once, with kills, double no slot and leave none in silence', async context => {
  const { kills, doubled, silent, ran } = await tickStorm({ slots })
  context.diagnostic(`R14 ${slots} slots, ${slots * 8} ticks, ${kills} killed, ${ran} slots ran well`)
  assert.deepEqual({ doubled, silent }, { doubled: [], silent: [] })
  assert.ok(kills >= slots / 2, `${kills} kills prove nothing`)
  assert.ok(ran >= slots * 0.9, `${ran} of ${slots} slots ran well`)
})

/** Locks that keep nobody out, and a claim that overwrites. */
function careless(world: SimWorld): SimWorld {
  const { disk } = world
  const link = disk.link.bind(disk)
  disk.link = (from, to) => {
    disk.remove(to)
    return link(from, to)
  }
  return {
    ...world,
    locks: Object.assign(Object.create(world.locks), {
      tryLock: () => ({ release: () => {} }),
    }) as SimWorld['locks'],
    another: () => careless(world.another()),
  }
}

test('the same storm catches claims and locks that keep nobody out', async () => {
  const { doubled } = await tickStorm({ slots: 5, adapt: careless })
  assert.notDeepEqual(doubled, [])
})
