import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Replace, brokenReplaces, deafReplace, goodReplace, shortBlindAppend } from './stores.ts'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'
import { sweepErrors } from '../../src/sim/error-sweep.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'

const path = '/ws/state.json'
const text = (world: SimWorld) => world.disk.text(path)

const replacing = (replace: Replace) => ({
  start: () => simWorld({ files: { 'state.json': 'old and long' } }),
  act: async (world: SimWorld) => replace(world.disk, path, 'new and longer'),
  between: (world: SimWorld, where: string) =>
    assert.ok(['old and long', 'new and longer'].includes(text(world) ?? ''), `${where}: ${text(world)}`),
  check: (world: SimWorld, where: string) => assert.equal(text(world), 'new and longer', where),
})

test('a replacement by draft survives a crash at every call', async () => {
  const { points, runs } = await sweepCrashes(replacing(goodReplace))
  assert.equal(points, 5)
  assert.equal(runs, (5 * 2 + 1) * 4)
})

for (const [name, replace] of Object.entries(brokenReplaces)) {
  test(`the crash sweep catches a replacement with ${name}`, () =>
    assert.rejects(sweepCrashes(replacing(replace)), /^(AssertionError|Error).*(clean run|at call)/s))
}

test('a replacement by draft survives every error at every call', async () => {
  const { points, runs } = await sweepErrors(replacing(goodReplace))
  assert.equal(points, 5)
  assert.ok(runs > 100, String(runs))
})

test('the error sweep catches a store that takes a failed fsync for a good one', () =>
  assert.rejects(sweepErrors(replacing(deafReplace)), /sync .*, then power/))

test('the error sweep catches a store that takes a short write for a whole one', () =>
  assert.rejects(
    sweepErrors({
      start: () => simWorld({ files: { 'state.json': 'a' } }),
      act: async world => shortBlindAppend(world.disk, path, 'bcdef'),
      again: async () => {},
      acked: (world, where) => assert.equal(text(world), 'abcdef', where),
      check: () => {},
    }),
    /short/,
  ))

test('a plain error that escapes under a fault is a failure, a reported one is not', async () => {
  const sweep = {
    start: () => simWorld({}),
    act: async (world: SimWorld) => void world.disk.create('/ws/a', Buffer.from('x')),
    check: () => {},
    again: async () => {},
  }
  await assert.rejects(sweepErrors(sweep), /ENOSPC at call 1/)
  const seen = new Set<string>()
  await sweepErrors({ ...sweep, outcome: ({ kind }) => seen.add(kind) })
  assert.deepEqual([...seen], ['threw'])
})

test('an exit code other than zero claims nothing', async () => {
  const acked: string[] = []
  await sweepErrors({
    start: () => simWorld({}),
    act: async ({ disk }) => {
      try {
        disk.create('/ws/a', Buffer.from('x'))
        return 0
      } catch {
        return { exitCode: 75 }
      }
    },
    again: async () => {},
    acked: (_world, where) => acked.push(where),
    check: () => {},
  })
  assert.ok(acked.length > 0 && acked.every(where => where.startsWith('after a clean run')), acked.join('\n'))
})

test('a failure other than the death itself escapes the crash sweep', () =>
  assert.rejects(
    sweepCrashes({
      start: () => simWorld({}),
      act: async ({ disk }) => {
        try {
          disk.create('/ws/a', Buffer.from('x'))
        } catch {
          throw new Error('a bug')
        }
      },
      check: () => {},
    }),
    /kill at call 1 \(create \/ws\/a\), then process: a bug/,
  ))
