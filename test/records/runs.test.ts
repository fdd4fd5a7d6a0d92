import assert from 'node:assert/strict'
import test from 'node:test'
import { runRecord, type RunState } from '../../src/core/run.ts'
import { findRun, peekJobStatus, peekRuns, recordRun } from '../../src/records/runs.ts'
import { simWorld } from '../../src/sim/sim-world.ts'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'

const record = (run: string, state: RunState, startedAt = '2026-11-28T00:30:00.000Z') =>
  runRecord(
    { run, origin: run, agent: 'zoe', job: 'note', slot: null, startedAt, durationMs: 5 },
    { state, reason: '' },
  )

test('a run is found by its id and shown newest first', async () => {
  const world = simWorld()
  await recordRun(world, '/ws', record('20261028-003000-aaaaaa', 'ok', '2026-10-28T00:30:00.000Z'))
  await recordRun(world, '/ws', record('20261128-003000-bbbbbb', 'failed'))
  assert.deepEqual(
    peekRuns(world.disk, '/ws', 'zoe', 5).map(run => run.run.slice(-6)),
    ['bbbbbb', 'aaaaaa'],
  )
  assert.equal(findRun(world.disk, '/ws', 'zoe', '20261028-003000-aaaaaa')?.state, 'ok')
  assert.equal(findRun(world.disk, '/ws', 'zoe', '20261128-003000-cccccc'), undefined)
})

test('failures in a row are counted; a skip neither counts nor clears them', async () => {
  const world = simWorld()
  const states: RunState[] = ['failed', 'skipped', 'rejected', 'crashed']
  for (const [index, state] of states.entries()) {
    await recordRun(
      world,
      '/ws',
      record(`20261128-00300${index}-aaaaaa`, state, `2026-11-28T00:30:0${index}.000Z`),
    )
  }
  assert.equal(peekJobStatus(world.disk, '/ws', 'zoe', 'note')?.failuresInRow, 3)
  await recordRun(world, '/ws', record('20261128-003009-aaaaaa', 'ok', '2026-11-28T00:30:09.000Z'))
  assert.equal(peekJobStatus(world.disk, '/ws', 'zoe', 'note')?.failuresInRow, 0)
})

test('a crash anywhere in recording a run leaves it there once or not at all, and repeating it ends well', async () => {
  const swept = await sweepCrashes({
    start: () => simWorld({ files: { 'shared-context/': '' } }),
    act: world => recordRun(world, '/ws', record('20261128-003000-aaaaaa', 'ok')),
    check(world, where) {
      assert.equal(findRun(world.disk, '/ws', 'zoe', '20261128-003000-aaaaaa')?.state, 'ok', where)
      assert.equal(peekJobStatus(world.disk, '/ws', 'zoe', 'note')?.state ?? 'ok', 'ok', where)
    },
  })
  assert.ok(swept.points > 5, String(swept.points))
})
