import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hourMs, minuteMs } from '../../src/core/millis.ts'
import { foldJobStatus } from '../../src/core/run.ts'
import { idleUntil } from '../../src/flows/tick/due-file.ts'
import { peekWatches } from '../../src/records/schedule.ts'
import { claimSlot } from '../../src/records/slots.ts'
import { ProcessDeath } from '../../src/sim/process-death.ts'
import { command, jobText, nextProcess, type Rig, root, warmUp } from './command-rig.ts'
import { assertSound, runsOf } from './sound.ts'
import { soleJob, statesOf, tick, tickRig } from './tick-rig.ts'

before(warmUp)

/** One minute before the slot of 08:30 in Shanghai. */
const before0830 = '2026-11-30T00:29:05Z'
const slot0830 = '2026-11-30T00:30:00.000Z'

test('a slot that its own line did not run is started by a tick, once', async () => {
  const made = tickRig({ now: before0830 })
  assert.equal((await tick(made)).out, 'nothing is due\n')
  assert.equal((await tick(nextProcess(made))).out, 'nothing is due\n', 'its own line comes first')
  assert.match((await tick(nextProcess(made))).out, /started ann\/list, slot \S+ \(due 1 min ago\): exit 0/)
  for (let more = 0; more < 3; more++) assert.equal((await tick(nextProcess(made))).out, 'nothing is due\n')
  assert.deepEqual(statesOf(made).toSorted(), ['blind ok', 'list ok'])
  await assertSound(made, 'after the ticks')
})

test('a slot that its own line has run is left alone', async () => {
  const made = tickRig({ now: before0830 })
  await tick(made)
  await command(nextProcess(made), 'run', 'ann', 'list', '--slot', 'due')
  await command(nextProcess(made, 0), 'run', 'ann', 'blind', '--slot', 'due')
  for (let more = 0; more < 3; more++) await tick(nextProcess(made))
  assert.deepEqual(statesOf(made), ['list ok', 'blind ok'])
})

test('a dry run lists what would be done, and writes nothing', async () => {
  const made = tickRig({ now: before0830 })
  await tick(made)
  made.world.clock.advance(2 * minuteMs)
  const files = made.world.disk.paths(root).map(path => [path, made.world.disk.text(path)])
  const { out } = await tick(made, '--dry-run', '--json')
  const report = JSON.parse(out) as { due: { job: string }[]; outbox: unknown[] }
  assert.deepEqual(
    report.due.map(({ job }) => job),
    ['ann/blind', 'ann/list'],
  )
  assert.deepEqual(
    made.world.disk.paths(root).map(path => [path, made.world.disk.text(path)]),
    files,
  )
})

for (const [policy, within, hours, ran, missed] of [
  ['latest', '2h', 1, 1, 0],
  ['latest', '2h', 3, 1, 2],
  ['all', '130m', 3, 2, 1],
  ['all', '12h', 3, 3, 0],
  ['none', '2h', 3, 0, 3],
] as const) {
  test(`asleep over ${hours} hourly slots, catch-up ${policy} within ${within}: ${ran} run, ${missed} recorded as missed`, async () => {
    const made = soleJob([`catchup: {policy: ${policy}, within: ${within}}`], {
      schedule: '0 * * * *',
      now: '2026-11-30T00:10:00Z',
    })
    await tick(made)
    const last = nextProcess(made, hours * hourMs + 5 * minuteMs)
    assert.equal((await tick(last)).exitCode, 0)
    await tick(nextProcess(made))
    assert.equal(runsOf(made).filter(({ state }) => state === 'ok').length, ran)
    const skips = runsOf(made).filter(({ state }) => state === 'skipped')
    assert.equal(skips.length, missed)
    for (const { reason } of skips) assert.match(reason, /^missed: slot \S+ was not run in time, and /)
    await assertSound(made, 'after the sleep')
  })
}

test('three days asleep: one catch-up inside the window, the rest on record', async () => {
  const made = soleJob([], { schedule: '*/30 * * * *', now: '2026-11-30T00:10:00Z' })
  await tick(made)
  await tick(nextProcess(made, 72 * hourMs))
  const states = runsOf(made).map(({ state }) => state)
  assert.equal(states.filter(state => state === 'ok').length, 1)
  assert.equal(states.filter(state => state === 'skipped').length, 143)
})

for (const [what, days, says] of [
  ['a year', 365, /^missed: more than 5000 slots from 2025-11-30T\S+ to \S+ were not run in time$/],
  ['eight days', 8, /^missed: 191 slots from 2025-11-30T01:00:00\.000Z to 2025-12-07T23:00:00\.000Z were/],
] as const) {
  test(`${what} asleep: what cannot be caught up is one record of the job, and the rest runs`, async () => {
    const schedule = days === 8 ? '0 * * * *' : '* * * * *'
    const made = soleJob([], { schedule, now: '2025-11-30T00:10:00Z' })
    await tick(made)
    await tick(nextProcess(made, days * 24 * hourMs))
    const missed = () => runsOf(made).filter(({ state }) => state === 'skipped')
    // Two slots of a job of each minute are on time.
    assert.deepEqual([missed().length, statesOf(made).length], [1, days === 8 ? 2 : 3])
    assert.match(missed()[0]!.reason, says)
    await tick(nextProcess(made, days === 8 ? minuteMs : 0))
    assert.equal(missed().length, 1)
    const status = foldJobStatus(undefined, missed()[0]!)
    assert.equal(status.missedInRow, days === 8 ? 191 : 5000)
    await assertSound(made, 'after the sleep')
  })
}

test('six days asleep are told slot by slot', async () => {
  const made = soleJob([], { schedule: '0 * * * *', now: '2025-11-30T00:10:00Z' })
  await tick(made)
  await tick(nextProcess(made, 6 * 24 * hourMs))
  assert.equal(runsOf(made).filter(({ state }) => state === 'skipped').length, 143)
})

test('after a year asleep a team of thirty jobs is told in twenty lines, and nothing is tidied up yet', async () => {
  const names = Array.from({ length: 30 }, (_, index) => `j${index}`)
  const files = Object.fromEntries(names.map(name => [`agents/ann/jobs/${name}.md`, jobText()]))
  const made = tickRig({ now: '2025-11-30T05:00:00Z', files })
  await tick(made)
  const { out } = await tick(nextProcess(made, 365 * 24 * hourMs))
  assert.equal(out.trimEnd().split('\n').length, 20)
  assert.match(out, /\nand 13 more \(claw cron history\)\n$/)
  assert.doesNotMatch(out, /removed/)
  const { upkeep } = JSON.parse((await tick(nextProcess(made), '--json')).out) as { upkeep: unknown }
  assert.notEqual(upkeep, null)
})

test('stamps of a clock that ran ahead freeze no job', async () => {
  const made = soleJob([], { schedule: '*/30 * * * *', now: '2026-11-30T05:10:00Z' })
  await tick(made)
  made.world.clock.set('2026-11-30T00:29:05Z')
  const { err } = await tick(nextProcess(made, 0))
  assert.match(err, /warning: ann\/blind, ann\/list: .* still to come; taken back to now/)
  made.world.clock.set('2026-11-30T00:31:05Z')
  await tick(nextProcess(made, 0))
  assert.deepEqual(statesOf(made), ['list ok'])
})

test('a job that is written a minute before its slot loses none', async () => {
  const made = tickRig({
    now: before0830,
    files: { 'agents/ann/jobs/blind.md': jobText(['enabled: false']) },
  })
  await tick(made)
  made.world.disk.create(`${root}/agents/ann/jobs/new.md`, Buffer.from(jobText()))
  made.world.disk.remove(`${root}/agents/ann/jobs/list.md`)
  await tick(nextProcess(made))
  await tick(nextProcess(made))
  assert.deepEqual(statesOf(made), ['new ok'])
})

test('a job that is renamed after its slot repeats none', async () => {
  const made = tickRig({
    now: before0830,
    files: { 'agents/ann/jobs/blind.md': jobText(['enabled: false']) },
  })
  await tick(made)
  await tick(nextProcess(made))
  await tick(nextProcess(made))
  const { disk } = made.world
  disk.rename(`${root}/agents/ann/jobs/list.md`, `${root}/agents/ann/jobs/renamed.md`)
  for (let more = 0; more < 3; more++) await tick(nextProcess(made))
  assert.deepEqual(statesOf(made), ['list ok'])
  assert.deepEqual(Object.keys(peekWatches(disk, root)).sort(), ['ann/blind', 'ann/renamed'])
})

test('an edit of the schedule gives what was open of the old one its end, and begins anew', async () => {
  const made = soleJob(['catchup: {policy: all, within: 12h}'], {
    schedule: '0 * * * *',
    now: '2026-11-30T00:10:00Z',
  })
  await tick(made)
  made.world.clock.advance(2 * hourMs)
  rewrite(made, jobText(['catchup: {policy: all, within: 12h}']).replace('30 8 * * *', '30 11 * * *'))
  await tick(nextProcess(made))
  const reasons = runsOf(made).map(
    ({ state, slot, reason }) => `${state} ${slot} ${reason.replace(/.*and /, '')}`,
  )
  assert.deepEqual(reasons, [
    'skipped 2026-11-30T01:00:00.000Z its schedule was changed',
    'skipped 2026-11-30T02:00:00.000Z its schedule was changed',
  ])
  made.world.clock.set('2026-11-30T03:31:10Z')
  await tick(nextProcess(made, 0))
  assert.deepEqual(statesOf(made).slice(2), ['list ok'])
})

test('a job that is switched off is nobody’s, and counts again from when it is switched on', async () => {
  const made = soleJob([], { schedule: '*/10 * * * *', now: '2026-11-30T00:05:05Z' })
  await tick(made)
  rewrite(made, jobText(['enabled: false']).replace('30 8 * * *', '*/10 * * * *'))
  for (let minute = 0; minute < 30; minute++) await tick(nextProcess(made))
  assert.deepEqual(statesOf(made), [])
  rewrite(made, jobText().replace('30 8 * * *', '*/10 * * * *'))
  for (let minute = 0; minute < 10; minute++) await tick(nextProcess(made))
  assert.deepEqual(statesOf(made), ['list ok'])
})

function rewrite(made: Rig, text: string): void {
  const path = `${root}/agents/ann/jobs/list.md`
  made.world.disk.remove(path)
  made.world.disk.create(path, Buffer.from(text))
}

test('a broken job file is told once, and keeps its place in the schedule', async () => {
  const made = soleJob([], { schedule: '*/10 * * * *', now: '2026-11-30T00:05:05Z' })
  await tick(made)
  rewrite(made, '---\nschedule: "*/10 * * *"\n---\nx\n')
  assert.match((await tick(nextProcess(made))).err, /list\.md:2:\d+: .*five fields/)
  assert.equal((await tick(nextProcess(made))).err, '')
  assert.match(peekWatches(made.world.disk, root)['ann/list']?.schedule ?? '', /^cron /)
})

test('a claimer that died is recorded as crashed, and its slot is run again where that is free of effects', async () => {
  const made = soleJob(['retry: {attempts: 1}'], { now: before0830 })
  await tick(made)
  made.world.clock.advance(minuteMs)
  const slot = { agent: 'ann', job: 'list', slot: Date.parse(slot0830) }
  claimSlot(made.world.another(), root, slot, 1, '20261130-003001-dddddd')
  await tick(nextProcess(made))
  assert.deepEqual(
    runsOf(made).map(({ run, state }) => (state === 'crashed' ? run : state)),
    ['20261130-003001-dddddd', 'ok'],
  )
})

test('a run by hand that died is on record with the next tick, not with the next run', async () => {
  const made = tickRig()
  await tick(made)
  const dying = nextProcess(made)
  const ask = async (): Promise<never> => {
    dying.world.disk.kill()
    throw new ProcessDeath('the call of the model')
  }
  await assert.rejects(
    command({ ...dying, ports: { ...dying.ports, ask } }, 'run', 'ann', 'list'),
    ProcessDeath,
  )
  dying.world.reboot('process')
  const { err } = await tick(nextProcess(dying))
  assert.match(err, /ended without a record; recorded as crashed/)
  assert.deepEqual(
    statesOf(made).filter(state => state.endsWith('crashed')),
    ['list crashed'],
  )
  assert.doesNotMatch((await tick(nextProcess(dying))).err, /crashed/)
  await assertSound(made, 'after the crash')
})

test('a slot waits for its file over many ticks, and runs as soon as it is there', async () => {
  const made = soleJob(['needs: [{file: shared-context/upstream.md, else: wait}]'], { now: before0830 })
  await tick(made)
  const said: string[] = []
  for (let minute = 0; minute < 20; minute++) said.push((await tick(nextProcess(made))).out)
  const waits = said.filter(out => /ann\/list, slot \S+: waits for a file: \S+upstream\.md/.test(out))
  assert.equal(waits.length, 1, 'told once')
  assert.ok(idleUntil(made.world, root) !== undefined, 'a look at the awaited file is enough')
  assert.deepEqual(statesOf(made), [])
  made.world.disk.mkdir(`${root}/shared-context`)
  made.world.disk.create(`${root}/shared-context/upstream.md`, Buffer.from('here'))
  assert.match((await tick(nextProcess(made))).out, /started ann\/list/)
  assert.deepEqual(
    runsOf(made).map(({ degraded }) => degraded),
    [[]],
  )
})

test('it goes without its file at the end of the window', async () => {
  const lines = [
    'needs: [{file: shared-context/upstream.md, else: wait}]',
    'catchup: {policy: latest, within: 30m}',
  ]
  const made = soleJob(lines, { now: before0830 })
  for (let minute = 0; minute < 40; minute++) await tick(minute === 0 ? made : nextProcess(made))
  assert.deepEqual(
    runsOf(made).map(({ state, degraded }) => [state, degraded]),
    [['ok', ['shared-context/upstream.md is not there']]],
  )
})

test('a paused job is not started: its slots are skips that say so', async () => {
  const made = soleJob([], { now: before0830 })
  await tick(made)
  await command(nextProcess(made, 0), 'cron', 'pause', 'ann/list', '--reason', 'source is down')
  for (let minute = 0; minute < 5; minute++) await tick(nextProcess(made))
  assert.equal(made.started(), 0)
  assert.match(
    runsOf(made)[0]?.reason ?? '',
    /^paused since \S+: source is down; claw cron resume ann\/list$/,
  )
  assert.equal(runsOf(made).length, 1)
})
