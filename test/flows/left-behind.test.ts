import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { scriptedChannel } from '../../src/adapters/channels/scripted.ts'
import { ProcessDeath } from '../../src/sim/process-death.ts'
import { command, jobText, nextProcess, rig, root, warmUp } from './command-rig.ts'
import { openLines, runsOf } from './sound.ts'

before(warmUp)

test('what arrived is listed, also when a crash kept it from being filed away', async () => {
  const made = rig()
  const rehearsal = rig()
  await command(rehearsal, 'run', 'ann', 'list')
  const filing = rehearsal.world.disk.calls.find(
    ({ name, path }) => name === 'rename' && path.includes('/done/'),
  )
  made.world.disk.fault = { at: filing!.number, kind: 'kill' }
  await assert.rejects(command(made, 'run', 'ann', 'list'), ProcessDeath)
  made.world.reboot('power')
  assert.deepEqual(await openLines(made), [])
  assert.deepEqual(
    (await openLines(made, '--all')).map(({ state }) => state),
    ['delivered'],
  )
})

test('a delivery that had to wait is sent by the next run of its job, also by one that is skipped', async () => {
  let isDown = true
  const keyed = scriptedChannel({
    kind: 'keyed',
    script: () =>
      isDown ? { kind: 'refused', why: 'busy', permanent: false, retryAfterMs: 60_000 } : { kind: 'sent' },
  })
  const made = rig({ otherSide: { keyed } })
  const first = await command(made, 'run', 'ann', 'list', '--slot', 'auto')
  assert.equal(first.exitCode, 0)
  assert.match(first.err, /warning: delivery \S+ to keyed: queued/)
  isDown = false
  const second = await command(nextProcess(made, 120_000), 'run', 'ann', 'list', '--slot', 'auto')
  assert.match(second.out, /skipped, slot \S+ ran already/)
  assert.match(second.err, /delivery \S+ of run \S+ to keyed: delivered/)
  assert.equal(keyed.received.length, 1)
})

test('a channel that is gone from the configuration does not fail the runs that come after', async () => {
  const keyed = scriptedChannel({
    kind: 'keyed',
    script: () => ({ kind: 'refused', why: 'busy', permanent: false, retryAfterMs: 60_000 }),
  })
  const made = rig({ otherSide: { keyed } })
  await command(made, 'run', 'ann', 'list')
  const { disk } = made.world
  const config = disk.text(`${root}/claw.yaml`)!
  for (const [path, text] of [
    ['claw.yaml', config.replace('  keyed: {type: stdout}\n', '')],
    ['agents/ann/jobs/list.md', jobText([], 'blind')],
  ] as const) {
    disk.remove(`${root}/${path}`)
    disk.create(`${root}/${path}`, Buffer.from(text))
  }
  const { exitCode, err } = await command(nextProcess(made), 'run', 'ann', 'list')
  assert.equal(exitCode, 0, err)
  assert.match(err, /warning: delivery \S+ of an earlier run: claw\.yaml: no channel keyed/)
  assert.equal(made.otherSide.blind.received.length, 1)
})

test('an index of sessions that a person broke is told of, and the text is delivered all the same', async () => {
  const broken = '{"agent:ann:main": '
  const made = rig({ files: { 'agents/ann/sessions/sessions.json': broken } })
  const { exitCode, err } = await command(made, 'run', 'ann', 'list')
  assert.equal(exitCode, 0, err)
  assert.match(err, /warning: .*sessions\.json/)
  assert.equal(runsOf(made)[0]?.state, 'ok')
  assert.equal(made.otherSide.keyed.received.length, 1)
  assert.equal(made.world.disk.text(`${root}/agents/ann/sessions/sessions.json`), broken, 'never overwritten')
})

/** Dies in the middle of a send, then `change` is done to the log of the delivery. */
async function diedInSend(change: (log: string) => string | undefined) {
  let isDying = true
  const blind = scriptedChannel({
    script: () => {
      if (!isDying) return { kind: 'sent' }
      made.world.disk.kill()
      throw new ProcessDeath('the send')
    },
  })
  const made = rig({ otherSide: { blind } })
  await assert.rejects(command(made, 'run', 'ann', 'blind', '--slot', 'auto'), ProcessDeath)
  made.world.reboot('process')
  isDying = false
  const { disk } = made.world
  const [name] = disk.list(`${root}/.claw/outbox`)!.filter(({ kind }) => kind === 'file')
  const path = `${root}/.claw/outbox/${name!.name}`
  const changed = change(disk.text(path)!)
  disk.remove(path)
  if (changed !== undefined) disk.create(path, Buffer.from(changed))
  return { made, blind }
}

test('a delivery with a line that cannot be read is not sent again by itself', async () => {
  const { made, blind } = await diedInSend(log => log.replace('"intent"', '"inteNt"'))
  const { err } = await command(nextProcess(made), 'run', 'ann', 'blind', '--slot', 'auto')
  assert.match(err, /to blind: unknown \(its record is damaged/)
  assert.equal(blind.received.length, 0)
  const [open] = await openLines(made)
  assert.equal(open?.state, 'unknown')
  await command(nextProcess(made), 'outbox', 'retry', open!.id)
  assert.equal(blind.received.length, 1, 'a person has named it')
})

test('a delivery of which nothing is left is told by doctor', async () => {
  const { made } = await diedInSend(() => undefined)
  const later = nextProcess(made)
  await command(later, 'run', 'ann', 'blind', '--slot', 'auto')
  const { out } = await command(later, 'doctor')
  assert.match(out, /holds nothing of 1 deliveries/)
})
