import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { before, test } from 'node:test'
import { runRecord } from '../../src/core/run.ts'
import { toIso } from '../../src/core/millis.ts'
import { assemble } from '../../src/flows/run-job/assemble.ts'
import { admit } from '../../src/flows/run-job/admit.ts'
import { deliver } from '../../src/flows/run-job/deliver.ts'
import { gather } from '../../src/flows/run-job/gather.ts'
import { withLeases } from '../../src/flows/run-job/leases.ts'
import { openRun } from '../../src/flows/run-job/open-run.ts'
import { settleRefusal } from '../../src/flows/run-job/settle.ts'
import { think } from '../../src/flows/run-job/think.ts'
import { enqueue } from '../../src/records/outbox.ts'
import { leaseFile } from '../../src/records/paths.ts'
import { recordRun } from '../../src/records/runs.ts'
import { ensureDir, replaceFile } from '../../src/store/atomic-file.ts'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'
import { sweepErrors } from '../../src/sim/error-sweep.ts'
import { type Rig, product, root, warmUp } from './command-rig.ts'
import { initCase, sweepOf, template } from './command-cases.ts'
import { runSweep } from './run-sweep.ts'
import { assertToldClearly } from './told-clearly.ts'

before(warmUp)

/** Says that it may be told the same twice, and shows people both. */
function resending(made: Rig): Rig {
  return {
    ...made,
    ports: { ...made.ports, channel: async () => ({ ...made.otherSide.blind, kind: 'keyed' }) },
  }
}

test('the crash sweep catches a delivery that sends again after an intent on a blind channel', () =>
  assert.rejects(
    sweepCrashes({
      ...runSweep({ side: 'blind', flags: [], adapt: resending }),
      kinds: ['kill'],
      reboots: ['process'],
    }),
    /arrived 2 times/,
  ))

/** A run whose record comes before its delivery is in the outbox. */
async function recordsFirst({ world, ports }: Rig): Promise<{ exitCode: number; out: string; err: string }> {
  const say = () => {}
  const request = { agent: 'ann', job: 'list', slot: 'auto', live: false, dryRun: false }
  const run = await openRun({ world, ports, root, note: say, warn: say, request })
  const admission = await admit(run)
  if (admission.kind === 'refused') await deliver(run, await settleRefusal(run, admission))
  else {
    await withLeases(admission.leases, async () => {
      const { signal } = new AbortController()
      const gathered = await gather(run, signal)
      const { outcome, session } = await think(run, {
        gathered,
        prompt: assemble(run, gathered),
        signal,
        markEffects: admission.markEffects,
      })
      const text = outcome.kind === 'answered' ? outcome.text : ''
      replaceFile(world, product, text)
      const { agent } = run
      const head = {
        run: run.run,
        origin: run.run,
        agent,
        job: 'list',
        slot: toIso(run.slot!),
        startedAt: toIso(run.startedAt),
        durationMs: 0,
      }
      await recordRun(world, root, runRecord(head, { state: 'ok', reason: '', session: session.id }))
      const delivery = {
        key: `k-${head.slot}`,
        channel: 'keyed',
        pieces: [text],
        agent,
        job: 'list',
        run: run.run,
      }
      await enqueue(world, root, run.run, delivery)
      await deliver(run, { delivery: [] } as never)
    })
  }
  return { exitCode: 0, out: '', err: '' }
}

test('the crash sweep catches a run that is recorded before its delivery is in the outbox', () => {
  const sweep = runSweep({ side: 'keyed', flags: ['--slot', 'auto'] })
  const act = (world: Parameters<typeof sweep.act>[0]) => recordsFirst(sweep.rigOf(world))
  const again = async (world: Parameters<typeof sweep.act>[0]) => {
    world.clock.advance(60_000)
    await act(world)
  }
  return assert.rejects(
    sweepCrashes({ ...sweep, act, again, reboots: ['process'] }),
    /after at call \d+ \(append [^]*agent-runs[^]*arrived 0 times/,
  )
})

test('the crash sweep catches a disk that acknowledges what it does not keep', () =>
  assert.rejects(
    sweepCrashes(
      runSweep({
        side: 'keyed',
        flags: ['--slot', 'auto'],
        adapt: made => {
          made.world.disk.sync = () => {}
          return made
        },
      }),
    ),
    /after a clean run and power/,
  ))

test('the error sweep catches a run that lets go of its job although nothing was recorded', () => {
  const sweep = runSweep({ side: 'keyed', flags: [] })
  const act: typeof sweep.act = async world => {
    const end = await sweep.act(world)
    world.disk.fault = undefined
    if (end.exitCode !== 0) world.disk.remove(`${leaseFile(root, 'ann.list')}.owner`)
    return end
  }
  return assert.rejects(
    sweepErrors({ ...sweep, act, errnos: ['ENOSPC'], reboots: ['process'] }),
    /arrived 2 times|began, \d are in/,
  )
})

test('the error sweep catches a command that says all is well whatever the disk says', () => {
  const sweep = runSweep({ side: 'keyed', flags: [] })
  const act: typeof sweep.act = async world => ({ ...(await sweep.act(world)), exitCode: 0 })
  return assert.rejects(
    sweepErrors({ ...sweep, act, errnos: ['ENOSPC'], reboots: ['process'] }),
    assert.AssertionError,
  )
})

test('the crash sweep catches an init that writes in place', () => {
  const sweep = sweepOf(initCase())
  const act = async ({ disk }: Parameters<typeof sweep.act>[0]) => {
    for (const [path, text] of Object.entries(template)) {
      const target = `${root}/team/${path.replace('gitignore', '.gitignore')}`
      ensureDir(disk, dirname(target))
      disk.create(target, Buffer.from(text))
    }
  }
  return assert.rejects(
    sweepCrashes({ ...sweep, act, again: act, reboots: ['process'] }),
    /^AssertionError.*torn at call/s,
  )
})

test('an end without its line, with two, or with a stack is not a clear one', () => {
  assert.ok(assertToldClearly({ exitCode: 75, out: '', err: 'claw: x: nothing recorded\n  try again\n' }))
  for (const err of ['', 'claw: a\nclaw: b\n', 'claw: x\n    at run (dispatch.ts:1:1)\n'])
    assert.throws(() => assertToldClearly({ exitCode: 75, out: '', err }), assert.AssertionError)
  assert.throws(() => assertToldClearly({ exitCode: 2, out: '', err: 'claw: x\n' }), assert.AssertionError)
})
