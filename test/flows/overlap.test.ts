import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { minuteMs, secondMs } from '../../src/core/millis.ts'
import { leaseFile } from '../../src/records/paths.ts'
import { takeLease } from '../../src/store/lease.ts'
import { nextProcess, type Rig, root, warmUp } from './command-rig.ts'
import { runsOf } from './sound.ts'
import { soleJob, tick } from './tick-rig.ts'

before(warmUp)

/** Another slot's run keeps the job busy for so long. */
async function busyFor(made: Rig, ms: number): Promise<void> {
  const owner = {
    run: '20261130-002901-aaaaaa',
    slot: '2026-11-30T00:29:00.000Z',
    host: 'sim',
    pid: 99,
    processStart: '1',
    since: '2026-11-30T00:29:01.000Z',
    what: 'ann/list',
  }
  const lease = await takeLease(made.world.another(), leaseFile(root, 'ann.list'), { owner, volume: 'local' })
  assert.ok(lease.kind === 'held')
  made.world.clock.timer(ms, () => lease.release())
}

async function dueWhileBusy(overlap: 'skip' | 'queue', ms: number): Promise<string[]> {
  const made = soleJob([`overlap: ${overlap}`], { now: '2026-11-30T00:29:05Z' })
  await tick(made)
  made.world.clock.advance(2 * minuteMs)
  await busyFor(made, ms)
  for (let more = 0; more < 3; more++) await tick(nextProcess(made))
  return runsOf(made).map(({ state, reason }) => `${state} ${reason.slice(0, 13)}`.trim())
}

test('overlap skip: a slot that finds its job running is over, and says so once', async () => {
  assert.deepEqual(await dueWhileBusy('skip', 10 * minuteMs), ['skipped still running'])
})

test('overlap queue: it waits for the end of the other, and runs', async () => {
  assert.deepEqual(await dueWhileBusy('queue', minuteMs + 20 * secondMs), ['ok'])
})

test('overlap queue: it waits no longer than its own timeout', async () => {
  assert.deepEqual(await dueWhileBusy('queue', 10 * minuteMs), ['skipped still running'])
})
