import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { noIncidents, noteOutcome } from '../../src/core/incident.ts'
import { brokenAlertMs, isBrokenMark, noteBroken } from '../../src/core/incident/broken-file.ts'
import { minuteMs, toIso } from '../../src/core/millis.ts'
import { peekIncidents } from '../../src/records/incidents.ts'
import { peekOpenDeliveries } from '../../src/records/outbox.ts'
import { command, jobText, nextProcess, type Rig, root, warmUp, workspace } from './command-rig.ts'
import { runsOf } from './sound.ts'
import { soleJob, tick } from './tick-rig.ts'

before(warmUp)

const misspelt = '---\nshedule: "*/10 * * * *"\n---\nx\n'
const path = `${root}/agents/ann/jobs/list.md`
const often = jobText(['retry: {attempts: 1}']).replace('30 8 * * *', '*/10 * * * *')

function rewrite(made: Rig, text: string | undefined): void {
  made.world.disk.remove(path)
  if (text !== undefined) made.world.disk.create(path, Buffer.from(text))
}

/** A team whose one scheduled job is due each ten minutes, and whose file was just broken by an edit. */
async function brokenRig(claw = workspace['claw.yaml']!): Promise<Rig> {
  const made = soleJob([], {
    schedule: '*/10 * * * *',
    now: '2026-11-30T00:05:05Z',
    files: { 'claw.yaml': claw },
  })
  await tick(made)
  rewrite(made, misspelt)
  return made
}

const openOf = (of: Rig) => peekIncidents(of.world.disk, root).open

async function minutes(of: Rig, count: number): Promise<void> {
  for (let minute = 0; minute < count; minute++) await tick(nextProcess(of))
}

test('a broken job file is one incident with its place, and people see it wherever they look', async () => {
  const made = await brokenRig()
  await minutes(made, 3)
  const [incident, ...more] = openOf(made)
  assert.deepEqual(more, [])
  assert.ok(isBrokenMark(incident!.signature))
  assert.match(incident!.reason, /^agents\/ann\/jobs\/list\.md:2:\d+: /)
  const place = /agents\/ann\/jobs\/list\.md:2/
  const status = (await command(nextProcess(made, 0), 'status')).out
  assert.match(status, /incident ann\/list: its file is broken since 2026-11-30T00:06Z, agents/)
  assert.equal(status.split('list.md:2').length, 2, 'told once')
  assert.match((await command(nextProcess(made, 0), 'incidents', 'list')).out, place)
  for (const argv of [['ann/list'], []]) {
    const { out } = await command(nextProcess(made, 0), 'cron', 'history', ...argv)
    assert.match(out.split('\n')[1]!, /^- +ann\/list +broken .*list\.md:2/)
  }
})

test('it ends with a good run after the file was put right, and not before', async () => {
  const made = await brokenRig()
  await minutes(made, 2)
  rewrite(made, often)
  await tick(nextProcess(made))
  assert.equal(openOf(made).length, 1)
  await minutes(made, 5)
  assert.deepEqual(
    runsOf(made).map(({ state }) => state),
    ['ok'],
  )
  assert.deepEqual(openOf(made), [])
})

test('a good run by hand ends it as well', async () => {
  const made = await brokenRig()
  await minutes(made, 2)
  rewrite(made, often)
  await command(nextProcess(made), 'run', 'ann', 'list')
  assert.deepEqual(openOf(made), [])
})

for (const [what, text] of [
  ['deleted', undefined],
  ['switched off', jobText(['enabled: false'])],
] as const) {
  test(`the incident of a job that is ${what} ends with the next tick`, async () => {
    const made = await brokenRig()
    await minutes(made, 2)
    rewrite(made, text)
    await tick(nextProcess(made))
    assert.deepEqual(openOf(made), [])
  })
}

test('who wants alerts has one, after the time that an edit may take', async () => {
  const made = await brokenRig(`${workspace['claw.yaml']}alerts: {to: keyed}\n`)
  const { received } = made.otherSide.keyed
  await minutes(made, brokenAlertMs / minuteMs)
  assert.equal(received.length, 0)
  await minutes(made, 20)
  assert.equal(received.length, 1)
  assert.match(
    JSON.stringify(received[0]),
    /ann\/list cannot run since [^ ]+, its file is broken: agents\/ann\/jobs\/list\.md:2/,
  )
  assert.deepEqual(peekOpenDeliveries(made.world.disk, root), [])
})

test('while nothing changes a tick does not write the incident again', async () => {
  const made = await brokenRig()
  await minutes(made, 20)
  made.world.disk.calls = []
  const again = nextProcess(made)
  await tick(again)
  assert.deepEqual(
    again.world.disk.calls.filter(({ name, path: of }) => name === 'rename' && of.includes('incidents')),
    [],
  )
})

test('a broken file seen ten times is one incident; counted as a bad run each time it would pause the job', () => {
  const now = Date.parse('2026-11-30T00:05:05Z')
  const broken = [{ job: 'ann/list', why: 'list.md:2:1: x', id: '20261130-000505-aaaaaa' }]
  const first = noteBroken(noIncidents, { broken, gone: () => false, now }).book
  let [seen, counted] = [first, noIncidents]
  for (let minute = 1; minute <= 10; minute++) {
    const [at, run] = [toIso(now + minute), `r${minute}`]
    seen = noteBroken(seen, { broken, gone: () => false, now: now + minute }).book
    const outcome = { job: 'ann/list', run, state: 'failed', failure: 'other', reason: 'x', at } as const
    counted = noteOutcome(counted, outcome, { alertAfter: 2, pauseAfter: 10 }).book
  }
  assert.equal(seen, first)
  assert.deepEqual([seen.open.length, Object.keys(seen.paused)], [1, []])
  assert.deepEqual(Object.keys(counted.paused), ['ann/list'])
})
