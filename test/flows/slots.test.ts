import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Millis } from '../../src/core/millis.ts'
import { hourMs } from '../../src/core/millis.ts'
import { maxSlotTries } from '../../src/core/slot-policy.ts'
import { claimSlot } from '../../src/records/slots.ts'
import { ProcessDeath } from '../../src/sim/process-death.ts'
import { SeededRandom } from '../../src/sim/seeded-random.ts'
import type { SimWorld } from '../../src/sim/sim-world.ts'
import {
  type CommandEnd,
  type Rig,
  command,
  goodText,
  nextProcess,
  rig,
  root,
  warmUp,
} from './command-rig.ts'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { assertSound, runsOf } from './sound.ts'

before(warmUp)

/** So many processes at the same time, each with ids of its own. */
function processes(of: Rig, count: number): Rig[] {
  let { world } = of
  return Array.from({ length: count }, () => {
    world = world.another()
    return { ...of, world }
  })
}

/** Undefined for a process that died. */
async function ended(of: Rig, ...argv: string[]): Promise<CommandEnd | undefined> {
  try {
    return await command(of, ...argv)
  } catch (error) {
    if (!(error instanceof ProcessDeath)) throw error
    of.world.reboot('process')
    return undefined
  }
}

const slotArgs = ['run', 'ann', 'list', '--slot', 'auto']

/** Holds every model until each of the processes has asked one or ended: those that run do so at the same time. */
function together(of: Rig, count: number): { arrive: () => void; ports: Rig['ports'] } {
  let missing = count
  let release = () => {}
  const all = new Promise<void>(resolve => (release = resolve))
  const arrive = () => {
    missing -= 1
    if (missing === 0) release()
  }
  const ask: Rig['ports']['ask'] = async request => {
    arrive()
    await all
    return of.ports.ask(request)
  }
  return { arrive, ports: { ...of.ports, ask } }
}

async function oneRunsOthersSkip(made: Rig): Promise<void> {
  const { arrive, ports } = together(made, 8)
  const ends = await Promise.all(
    processes({ ...made, ports }, 8).map(async one => {
      const end = await command(one, ...slotArgs)
      arrive()
      return end
    }),
  )
  assert.deepEqual(
    ends.map(({ exitCode }) => exitCode),
    Array(8).fill(0),
  )
  const states = runsOf(made).map(({ state, reason }) => `${state} ${reason}`)
  assert.equal(states.filter(state => state.startsWith('ok')).length, 1, states.join('\n'))
  assert.equal(
    states.filter(state => /^skipped (still running|slot .* (ran already|was claimed))/.test(state)).length,
    7,
    states.join('\n'),
  )
  assert.equal(made.otherSide.keyed.received.length, 1)
}

test('of eight processes for one slot one runs, and seven are skipped with a reason', async () => {
  const made = rig()
  await oneRunsOthersSkip(made)
  await assertSound(made, 'after eight processes')
})

test('that test catches a lease that everybody gets', async () => {
  const made = rig()
  const free = (world: SimWorld): SimWorld => ({
    ...world,
    locks: { ...world.locks, tryLock: () => ({ describe: () => {}, release: () => {} }) } as never,
    another: () => free(world.another()),
  })
  await assert.rejects(oneRunsOthersSkip({ ...made, world: free(made.world) }), assert.AssertionError)
})

function claims(made: Rig, slot: Millis): number {
  const name = { agent: 'ann', job: 'list', slot }
  return processes(made, 8).filter(({ world }) => claimSlot(world, root, name, 1, world.random.hex(6))).length
}

test('a slot is claimed once, whoever else claims it; a claim that overwrites is caught', () => {
  assert.equal(claims(rig(), 0), 1)
  const made = rig()
  const careless = (world: SimWorld): SimWorld => {
    const { disk } = world
    const link = disk.link.bind(disk)
    disk.link = (from, to) => {
      disk.remove(to)
      return link(from, to)
    }
    return { ...world, another: () => careless(world.another()) }
  }
  assert.equal(claims({ ...made, world: careless(made.world) }, 0), 8)
})

test('eight processes a slot, one of them killed: no slot runs twice, none ends in silence', async context => {
  const made = rig({ now: '2026-11-02T00:31:00Z' })
  const dice = new SeededRandom(14)
  let kills = 0
  const slots = 100
  for (let day = 0; day < slots; day++) {
    const slot = new Date(Date.UTC(2026, 10, 2) + day * hourMs).toISOString()
    const argv = ['run', 'ann', 'list', '--slot', slot]
    const all = processes(made, 8)
    const kind = dice.fraction() < 0.5 ? 'kill' : 'kill-after'
    all[Math.floor(dice.fraction() * 2)]!.world.disk.fault = {
      at: 1 + Math.floor(dice.fraction() * 120),
      kind,
    }
    const ends = await Promise.all(all.map(one => ended(one, ...argv)))
    kills += ends.filter(end => end === undefined).length
    const { exitCode, err } = await command(nextProcess(made), ...argv)
    assert.equal(exitCode, 0, err)
    made.world.clock.advance(hourMs)
    const ran = runsOf(made).filter(run => run.slot === slot && run.state !== 'skipped')
    assert.equal(
      ran.filter(({ state }) => state === 'ok').length,
      1,
      `${slot}: ${ran.map(({ state }) => state).join(' ')}`,
    )
    assert.equal(made.otherSide.keyed.received.length, day + 1, slot)
  }
  context.diagnostic(`${slots} slots, ${slots * 9} processes, ${kills} of them killed`)
  assert.ok(kills >= 20, String(kills))
  await assertSound(made, 'after all slots')
})

test('a job that kills its process each time is given up after its tries, and says so', async () => {
  let now: Rig = rig()
  const first = now
  for (let tries = 0; tries < maxSlotTries; tries++) {
    now = nextProcess(now)
    assert.equal(await ended(dyingAtTheModel(now), ...slotArgs), undefined)
  }
  for (let later = 0; later < 2; later++) {
    const end = await command(nextProcess(now), ...slotArgs)
    assert.equal(end.exitCode, 0)
    assert.match(end.out, /skipped, slot \S+ was given up after 3 runs that crashed/)
  }
  const states = runsOf(first).map(({ state }) => state)
  assert.deepEqual(states, ['crashed', 'crashed', 'crashed', 'skipped', 'skipped'])
  first.world.clock.advance(24 * hourMs)
  assert.match((await command(nextProcess(first), ...slotArgs)).out, /keyed: delivered/)
})

function dyingAtTheModel(of: Rig): Rig {
  const ask = async (): Promise<never> => {
    of.world.disk.kill()
    throw new ProcessDeath('the call of the model')
  }
  return { ...of, ports: { ...of.ports, ask } }
}

test('a slot whose claim cannot be read has still run, says the ledger', async () => {
  for (const garbage of ['', '{{']) {
    const made = rig()
    await command(made, ...slotArgs)
    const { disk } = made.world
    const dir = `${root}/.claw/slots/ann/list`
    for (const { name } of disk.list(dir)!) {
      disk.remove(`${dir}/${name}`)
      disk.create(`${dir}/${name}`, Buffer.from(garbage))
    }
    assert.match((await command(nextProcess(made), ...slotArgs)).out, /skipped, slot \S+ ran already/)
    assert.equal(made.started(), 1)
  }
})

test('an owner file that is damaged inside stops no run', async () => {
  const owner = {
    run: '20261129-000000-aaaaaa',
    host: 'h',
    pid: 1,
    processStart: '',
    since: '2026-11-29T00:00:00Z',
    what: 'ann/list',
  }
  const made = rig()
  const before = { ...owner, run: '20261129-000000-bbbbbb', unfinished: [{ ...owner, unfinished: [] }] }
  const text = JSON.stringify({ ...owner, unfinished: [{ run: 1 }, null, 5, before] })
  made.world.disk.mkdir(`${root}/.claw`)
  made.world.disk.mkdir(`${root}/.claw/leases`)
  made.world.disk.create(`${root}/.claw/leases/ann.list.owner`, Buffer.from(text))
  const { exitCode, err } = await command(made, 'run', 'ann', 'list')
  assert.equal(exitCode, 0, err)
  assert.deepEqual(
    runsOf(made)
      .map(({ run, state }) => (state === 'crashed' ? run.slice(-6) : state))
      .toSorted(),
    ['aaaaaa', 'bbbbbb', 'ok'],
  )
})

/** Dies after the text is in the outbox and before the run is on record. */
async function crashedByHand(made: Rig): Promise<void> {
  const rehearsal = rig()
  await command(rehearsal, 'run', 'ann', 'list')
  const call = rehearsal.world.disk.calls.find(
    ({ name, path }) => name === 'append' && path.includes('agent-runs'),
  )
  made.world.disk.fault = { at: call!.number, kind: 'kill' }
  assert.equal(await ended(made, 'run', 'ann', 'list'), undefined)
}

test('a run by hand after one that died goes on with its delivery: the text arrives once', async () => {
  const made = rig()
  await crashedByHand(made)
  const again = nextProcess(made)
  const { err } = await command(again, 'run', 'ann', 'list')
  const [crashed, ok, ...more] = runsOf(made)
  assert.deepEqual([crashed?.state, ok?.state, more.length], ['crashed', 'ok', 0])
  assert.equal(ok?.origin, crashed?.run)
  assert.deepEqual(made.otherSide.keyed.received, [
    { text: goodText.trimEnd(), key: `ann.list.run-${crashed!.run}.keyed` },
  ])
  assert.match(err, new RegExp(`has the text of run ${crashed!.run}`))
})

test('a day later it is a text of its own, and that of the run that died arrives too', async () => {
  const made = rig()
  await crashedByHand(made)
  await command(nextProcess(made, 24 * hourMs), 'run', 'ann', 'list')
  assert.equal(new Set(made.otherSide.keyed.received.map(({ key }) => key)).size, 2)
})

test('a run that shares its session tells the story of the turn that died in it, under its own name', async () => {
  const made = rig({ files: { 'agents/ann/jobs/talk.md': '---\nsession: main\n---\nSay hello.\n' } })
  const dying = nextProcess(made)
  await ended(dyingAtTheModel(dying), 'run', 'ann', '-m', 'Hello')
  const ask = scriptedModel([{ text: 'Hello.' }], made.world.clock)
  const next = nextProcess(dying)
  await command({ ...next, ports: { ...next.ports, ask } }, 'run', 'ann', 'talk')
  assert.deepEqual(
    runsOf(made).map(({ job, state }) => [job, state]),
    [
      [null, 'crashed'],
      ['talk', 'ok'],
    ],
  )
})
