import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hourMs, minuteMs } from '../../src/core/millis.ts'
import { idleUntil, peekDueIndex, replaceDueIndex } from '../../src/flows/tick/due-file.ts'
import { scriptedChannel } from '../../src/adapters/channels/scripted.ts'
import { peekLastTick } from '../../src/records/schedule.ts'
import { command, jobText, nextProcess, type Rig, root, warmUp, workspace } from './command-rig.ts'
import { assertSound, openLines, runsOf } from './sound.ts'
import { clawError, soleJob, statesOf, tick, tickRig } from './tick-rig.ts'

before(warmUp)

const before0830 = '2026-11-30T00:29:05Z'

function seats(count: number): string {
  return workspace['claw.yaml']!.replace('limits: {', `limits: {concurrentRuns: ${count}, `)
}

/** How many launched processes lived at the same time. */
function counted(made: Rig): { most: () => number; ports: Rig['ports'] } {
  let now = 0
  let most = 0
  const launch: Rig['ports']['launch'] = async argv => {
    most = Math.max(most, ++now)
    const end = await made.ports.launch(argv)
    now -= 1
    return end
  }
  return { most: () => most, ports: { ...made.ports, launch } }
}

test('five jobs of one minute on two seats: two at a time, and none is missed', async () => {
  const names = ['list', 'blind', 'c', 'd', 'e']
  const files = Object.fromEntries(names.map(name => [`agents/ann/jobs/${name}.md`, jobText()]))
  const made = tickRig({ now: before0830, files: { ...files, 'claw.yaml': seats(2) } })
  await tick(made)
  made.world.clock.advance(2 * minuteMs)
  const { most, ports } = counted(made)
  await tick({ ...made, ports })
  assert.equal(most(), 2)
  assert.deepEqual(
    statesOf(made).toSorted(),
    names.toSorted().map(name => `${name} ok`),
  )
})

test('the slots of one job run after each other, so that none is skipped for the other', async () => {
  const made = soleJob(['catchup: {policy: all, within: 12h}'], {
    schedule: '0 * * * *',
    now: '2026-11-30T00:10:00Z',
  })
  await tick(made)
  made.world.clock.advance(4 * hourMs)
  const { most, ports } = counted(made)
  await tick({ ...made, ports })
  assert.equal(most(), 1)
  assert.deepEqual(
    runsOf(made).map(({ slot, state }) => `${slot?.slice(11, 13)} ${state}`),
    ['01 ok', '02 ok', '03 ok', '04 ok'],
  )
})

test('ticks at the same time start each job once', async () => {
  const made = tickRig({ now: before0830 })
  await tick(made)
  made.world.clock.advance(2 * minuteMs)
  let { world } = made
  const all = Array.from({ length: 8 }, () => ({ ...made, world: (world = world.another()) }))
  const ends = await Promise.all(all.map(one => tick(one)))
  assert.deepEqual(
    ends.map(({ exitCode }) => exitCode),
    Array(8).fill(0),
  )
  assert.deepEqual(statesOf(made).toSorted(), ['blind ok', 'list ok'])
})

test('a failed run is started again by a tick, for a class that the job names and after its pause', async () => {
  const made = soleJob(['retry: {attempts: 2, backoff: 5m, on: [rejected]}'], {
    now: before0830,
    ask: [
      { text: 'No item.' },
      { text: 'No item.' },
      { text: '- [One](https://a.example/1)\n- [Two](https://a.example/2)\n' },
    ],
  })
  await tick(made)
  for (let minute = 0; minute < 4; minute++) await tick(nextProcess(made))
  assert.deepEqual(statesOf(made), ['list rejected'])
  for (let minute = 0; minute < 5; minute++) await tick(nextProcess(made))
  assert.deepEqual(statesOf(made), ['list rejected', 'list ok'])
})

test('a heartbeat that claw.yaml schedules is started by the tick, which is all that wakes it', async () => {
  const claw = workspace['claw.yaml']!.replace(
    '    main:',
    '    heartbeat: {models: [first/one], strict: true}\n    main:',
  )
  const made = soleJob([], {
    now: before0830,
    files: {
      'claw.yaml': `${claw}heartbeat: {every: 30m, to: keyed}\n`,
      'agents/ann/HEARTBEAT.md': '- look\n',
    },
    ask: Array.from({ length: 9 }, () => ({ text: 'HEARTBEAT_OK' })),
  })
  await tick(made)
  made.world.clock.set('2026-11-30T00:30:01Z')
  assert.match(
    (await tick(nextProcess(made, 0))).out,
    /started ann\/heartbeat, slot 2026-11-30T00:30:00\.000Z \(due now\)/,
  )
  assert.deepEqual(statesOf(made), ['heartbeat silent'])
})

/** A delivery that waits, because its channel said no for now. */
async function withWaiting(lines: readonly string[], now: string): Promise<Rig> {
  let isRefusing = true
  const keyed = scriptedChannel({
    kind: 'keyed',
    script: () =>
      isRefusing
        ? { kind: 'refused', why: 'not now', permanent: false, retryAfterMs: hourMs }
        : { kind: 'sent' },
  })
  const made = soleJob(lines, { now, otherSide: { keyed } })
  await tick(made)
  await command(nextProcess(made), 'run', 'ann', 'list')
  isRefusing = false
  assert.deepEqual(
    (await openLines(made)).map(({ state }) => state),
    ['queued'],
  )
  return made
}

test('a delivery that waits is sent when its time has come, and not before', async () => {
  const made = await withWaiting([], '2026-11-30T05:00:00Z')
  await tick(nextProcess(made, 50 * minuteMs))
  assert.equal((await openLines(made)).length, 1)
  assert.match((await tick(nextProcess(made, 15 * minuteMs))).out, /delivery \S+ to keyed: delivered/)
  assert.deepEqual(await openLines(made), [])
})

test('outside the hours of its job it waits for the morning', async () => {
  const made = await withWaiting(['active: "07:00-23:00"'], '2026-11-30T14:30:00Z')
  for (let hour = 0; hour < 8; hour++) await tick(nextProcess(made, hourMs))
  assert.equal((await openLines(made)).length, 1, 'it is 06:30')
  await tick(nextProcess(made, hourMs))
  assert.deepEqual(await openLines(made), [])
})

test('a channel that cannot be used is told once, and does not keep the others from theirs', async () => {
  const made = await withWaiting([], '2026-11-30T05:00:00Z')
  made.world.clock.advance(2 * hourMs)
  const ports = {
    ...made.ports,
    channel: () => Promise.reject(clawError('channels.keyed: ${KEY} is not set')),
  }
  assert.match((await tick({ ...nextProcess(made), ports })).err, /\$\{KEY\} is not set/)
  assert.doesNotMatch((await tick({ ...nextProcess(made), ports })).err, /\$\{KEY\}/)
})

test('with nothing due a tick reads a few files, notes that it was there, and is gone', async () => {
  const made = tickRig({ now: '2026-11-30T05:00:00Z' })
  await tick(made)
  made.world.disk.calls = []
  const again = nextProcess(made)
  await tick(again)
  const { calls } = again.world.disk
  assert.ok(calls.length < 40, `${calls.length} calls`)
  assert.ok(!calls.some(({ path, name }) => name === 'read' && path.endsWith('.md')), 'no job file is read')
  assert.equal(peekLastTick(made.world.disk, root), made.world.clock.now())
})

/** What must wake a tick that believed itself idle. */
const wakers: Record<string, (made: Rig) => unknown> = {
  'a new job': ({ world }) => world.disk.create(`${root}/agents/ann/jobs/new.md`, Buffer.from(jobText())),
  'an edited job': ({ world }) => {
    world.disk.remove(`${root}/agents/ann/jobs/list.md`)
    world.disk.create(`${root}/agents/ann/jobs/list.md`, Buffer.from(jobText(['timeout: 61s'])))
  },
  'a removed job': ({ world }) => world.disk.remove(`${root}/agents/ann/jobs/list.md`),
  'another claw.yaml': ({ world }) => world.disk.append(`${root}/claw.yaml`, Buffer.from('# x\n')),
  'a lease with a holder': ({ world }) => {
    world.disk.mkdir(`${root}/.claw/leases`)
    world.disk.create(`${root}/.claw/leases/ann.list.owner`, Buffer.from('{}'))
  },
  'a delivery': ({ world }) => {
    world.disk.mkdir(`${root}/.claw/outbox`)
    world.disk.create(`${root}/.claw/outbox/202611-0123456789abcdef.jsonl`, Buffer.from(''))
  },
  'a clock that was set back': ({ world }) => world.clock.set('2026-11-29T05:00:00Z'),
  'a slot that is due': ({ world }) => world.clock.advance(20 * hourMs),
  'a damaged index': ({ world }) => {
    const path = `${root}/.claw/index/due.json`
    const text = world.disk.text(path)!.replace('2026', '2027')
    world.disk.remove(path)
    world.disk.create(path, Buffer.from(text))
  },
  'an index that is no index': ({ world }) => {
    world.disk.remove(`${root}/.claw/index/due.json`)
    world.disk.create(`${root}/.claw/index/due.json`, Buffer.from('{}'))
  },
}

const awaiting = 'needs: [{file: "shared-context/{date}-up.md", maxAge: 2h, else: wait}]'

for (const [what, text] of [
  ['comes', 'here'],
  ['is written again', 'here, and newer'],
] as const) {
  test(`a file that a slot waits for and that ${what} makes a tick look again`, async () => {
    const made = soleJob([awaiting], { now: '2026-11-29T21:29:05Z' })
    const { disk, clock } = made.world
    const path = `${root}/shared-context/2026-11-30-up.md`
    disk.mkdir(`${root}/shared-context`)
    if (what !== 'comes') disk.create(path, Buffer.from('old'))
    clock.advance(3 * hourMs)
    await tick(made)
    for (let minute = 0; minute < 5; minute++) await tick(nextProcess(made))
    assert.ok(idleUntil(made.world, root) !== undefined)
    if (what !== 'comes') disk.remove(path)
    disk.create(path, Buffer.from(text))
    assert.equal(idleUntil(made.world, root), undefined)
    await tick(nextProcess(made))
    assert.deepEqual(statesOf(made), ['list ok'])
  })
}

test('an index that forgot the awaited file would sleep until the window of the slot is over', async () => {
  const made = soleJob([awaiting], { now: before0830 })
  await tick(made)
  for (let minute = 0; minute < 5; minute++) await tick(nextProcess(made))
  const index = peekDueIndex(made.world.disk, root)!
  replaceDueIndex(made.world, root, { ...index, awaited: [] })
  made.world.disk.mkdir(`${root}/shared-context`)
  made.world.disk.create(`${root}/shared-context/2026-11-30-up.md`, Buffer.from('here'))
  for (let minute = 0; minute < 5; minute++) await tick(nextProcess(made))
  assert.deepEqual(statesOf(made), [])
})

for (const [what, change] of Object.entries(wakers)) {
  test(`${what} makes a tick look again`, async () => {
    const made = tickRig({ now: '2026-11-30T05:00:00Z' })
    await tick(made)
    assert.ok(idleUntil(made.world, root) !== undefined)
    change(made)
    assert.equal(idleUntil(made.world, root), undefined)
    assert.equal((await tick(nextProcess(made))).exitCode, 0)
  })
}

test('a team that is idle stays sound', async () => {
  const made = tickRig({ now: '2026-11-30T05:00:00Z' })
  for (let minute = 0; minute < 5; minute++) await tick(nextProcess(made))
  await assertSound(made, 'after five ticks')
})
