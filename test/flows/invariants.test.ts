import assert from 'node:assert/strict'
import test from 'node:test'
import type { RunRecord } from '../../src/core/run.ts'
import { runRecord } from '../../src/core/run.ts'
import { fromIso, hourMs, toIso } from '../../src/core/millis.ts'
import { type DayFacts, invariantNames, Invariants, type WatchedJob } from '../../src/flows/invariants.ts'
import { enqueue, recordOutbox, withOutbox } from '../../src/records/outbox.ts'
import { leaseFile, runsDir } from '../../src/records/paths.ts'
import { recordRun } from '../../src/records/runs.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'

const root = '/ws'
const from = fromIso('2026-03-02T00:00:00Z')!
const slot = '2026-03-02T08:30:00.000Z'
const job: WatchedJob = {
  agent: 'ann',
  name: 'list',
  schedule: { kind: 'cron', expression: '30 8 * * *' },
  catchup: { policy: 'latest', within: 2 * hourMs },
  retry: { attempts: 1, backoff: 0, on: [] },
  timeZone: 'UTC',
}

interface Scene {
  world: SimWorld
  invariants: Invariants
  /** Names of what does not hold, asked a day and a half after the first midnight. */
  broken: (facts?: Partial<DayFacts>) => string[]
}

function scene(): Scene {
  const world = simWorld({ now: slot, files: { 'agents/ann/SOUL.md': 'Be exact.\n' } })
  const kindOf = (channel: string) => (channel === 'keyed' ? ('keyed' as const) : ('blind' as const))
  const invariants = new Invariants({ disk: world.disk, root, jobs: [job], from, kindOf })
  const broken = (facts: Partial<DayFacts> = {}): string[] => {
    const changed = new Set(world.disk.paths(root))
    const day: DayFacts = { now: from + 36 * hourMs, changed, ended: [], arrived: [], held: [], ...facts }
    return [...new Set(invariants.checkDay(day).map(problem => problem.invariant))]
  }
  return { world, invariants, broken }
}

function run(id: string, extra: Partial<RunRecord> = {}): RunRecord {
  const head = { run: id, origin: id, agent: 'ann', job: 'list', slot, startedAt: slot, durationMs: 10 }
  return { ...runRecord(head, { state: 'ok', reason: '' }), ...extra }
}

const ids = ['20260302-083000-aaaaaa', '20260302-083100-bbbbbb'] as const

/** The slot has its end, so that nothing else is wrong. */
async function withRun(extra: Partial<RunRecord> = {}): Promise<Scene> {
  const at = scene()
  await recordRun(at.world, root, run(ids[0], extra))
  return at
}

async function withDelivery(channel: string, end: 'delivered' | 'unknown' | 'queued'): Promise<Scene> {
  const at = scene()
  const { world } = at
  const delivery = { key: 'k1', channel, pieces: ['text'], agent: 'ann', job: 'list', run: ids[0] }
  const id = await enqueue(world, root, '20260302', delivery)
  const piece = { id, at: slot, piece: 0, attempt: 1 }
  await withOutbox(world, root, held => {
    recordOutbox(world.disk, held, root, { type: 'intent', ...piece })
    if (end === 'delivered') recordOutbox(world.disk, held, root, { type: 'delivered', ...piece })
    if (end === 'unknown') recordOutbox(world.disk, held, root, { type: 'unknown', ...piece, why: 'lost' })
  })
  await recordRun(world, root, run(ids[0], { deliveries: [id] }))
  return at
}

const arrival = (channel: 'keyed' | 'blind') => ({ channel, kind: channel, key: 'k1' })

test('a day on which all went well breaks nothing, and is counted', async () => {
  const { broken, invariants } = await withRun()
  assert.deepEqual(broken(), [])
  assert.deepEqual(invariants.runs, { ok: 1 })
  assert.deepEqual(invariants.slots.figures, {
    due: 1,
    ran: 1,
    skipped: 0,
    missed: 0,
    crashed: 0,
    unrecorded: 0,
  })
})

test('a ledger that lets two runs of one slot end well is caught, also when the second comes a day later', async () => {
  const { world, broken } = await withRun()
  assert.deepEqual(broken(), [])
  await recordRun(world, root, run(ids[1]))
  assert.deepEqual(broken({ now: from + 37 * hourMs }).includes('each slot at most once'), true)
})

test('a retry after a bad end is no second run', async () => {
  const { world, broken } = await withRun({ state: 'failed', failure: 'network', reason: 'down' })
  await recordRun(world, root, run(ids[1]))
  assert.deepEqual(broken(), [])
})

test('a slot of which nothing is on record is caught, once its window is over and no sooner', () => {
  const { broken } = scene()
  assert.deepEqual(broken({ now: fromIso(slot)! + 3 * hourMs }), [])
  assert.deepEqual(broken(), ['no slot silent'])
})

test('a recorded skip accounts for a slot', async () => {
  const { broken, invariants } = await withRun({
    state: 'skipped',
    reason: 'missed: slot was not run in time',
  })
  assert.deepEqual(broken(), [])
  assert.equal(invariants.slots.figures.missed, 1)
})

test('a channel that gets a text twice is caught', async () => {
  const blind = await withDelivery('blind', 'delivered')
  assert.deepEqual(blind.broken({ arrived: [arrival('blind'), arrival('blind')] }), [
    'each delivery at most once where blind',
  ])
  const keyed = await withDelivery('keyed', 'delivered')
  assert.deepEqual(keyed.broken({ arrived: [arrival('keyed'), arrival('keyed')] }), [
    'each delivery exactly once where keyed',
  ])
})

test('a delivery that arrived once is right on both kinds of channel', async () => {
  for (const channel of ['blind', 'keyed'] as const) {
    const { broken } = await withDelivery(channel, 'delivered')
    assert.deepEqual(broken({ arrived: [arrival(channel)] }), [], channel)
  }
})

test('a delivery that is called delivered and never arrived is caught', async () => {
  const { broken } = await withDelivery('blind', 'delivered')
  assert.deepEqual(broken(), ['each delivery at most once where blind'])
})

test('on a keyed channel a text that does not arrive within a day is caught; on a blind one it may stay unknown', async () => {
  const keyed = await withDelivery('keyed', 'queued')
  assert.deepEqual(keyed.broken(), ['each delivery exactly once where keyed'])
  const blind = await withDelivery('blind', 'unknown')
  assert.deepEqual(blind.broken(), [])
  assert.equal(blind.invariants.deliveries.figures.unknown, 1)
})

test('a store that tears a line in the middle of a log is caught, a torn last line is not its damage', async () => {
  const { world, broken } = await withRun()
  const log = `${runsDir(root, 'ann')}/2026-03.jsonl`
  world.disk.append(log, Buffer.from('{"type":"run","run":"cut'))
  assert.deepEqual(broken(), [])
  world.disk.append(log, Buffer.from(' off\n'))
  assert.deepEqual(broken(), ['every line readable'])
})

test('a JSON file that cannot be read is caught; one that is derived may be torn by lost power', async () => {
  const { world, broken } = await withRun()
  world.disk.create(`${root}/agents/ann/state.json`, Buffer.from('{"half":'))
  assert.deepEqual(broken(), ['every JSON file readable'])
  world.disk.remove(`${root}/agents/ann/state.json`)
  world.disk.truncate(`${root}/shared-context/job-status/ann.list.json`, 3)
  assert.deepEqual(broken({ changed: 'all' }), [])
  assert.deepEqual(broken(), ['every JSON file readable'])
})

test('a record that was there and is gone after lost power is caught', async () => {
  const { world, broken } = await withRun()
  assert.deepEqual(broken(), [])
  world.disk.remove(`${runsDir(root, 'ann')}/2026-03.jsonl`)
  await recordRun(world, root, run(ids[1], { state: 'failed', reason: 'x' }))
  assert.deepEqual(broken({ changed: 'all' }), ['nothing recorded is lost'])
})

test('a lock that is held and an owner that is named when nothing runs are caught', async () => {
  const { world, broken } = await withRun()
  assert.deepEqual(broken({ held: [leaseFile(root, 'ann.list')] }), ['no lease outlives its run'])
  for (const folder of ['.claw', '.claw/leases']) world.disk.mkdir(`${root}/${folder}`)
  world.disk.create(`${leaseFile(root, 'ann.list')}.owner`, Buffer.from('{}\n'))
  assert.deepEqual(broken(), ['no lease outlives its run'])
})

test('a memory, a transcript and a folder that grow without end are caught', async () => {
  const { world, broken } = await withRun()
  world.disk.create(`${root}/agents/ann/MEMORY.md`, Buffer.from('a word and '.repeat(2000)))
  assert.deepEqual(broken(), ['sizes bounded'])
  world.disk.remove(`${root}/agents/ann/MEMORY.md`)
  assert.deepEqual(broken(), [])
  world.disk.mkdir(`${root}/agents/ann/sessions`)
  world.disk.create(
    `${root}/agents/ann/sessions/x.jsonl`,
    Buffer.from(`${JSON.stringify({ x: 'x'.repeat(3 * 1024 * 1024) })}\n`),
  )
  assert.deepEqual(broken(), ['sizes bounded'])
})

test('an exit code that does not say what the record says is caught', async () => {
  const argv = ['-C', root, 'run', 'ann', 'list', '--slot', 'due', '--quiet']
  const ended = (exitCode: number) => [{ argv, startedAt: fromIso(slot)!, end: { kind: 'exited', exitCode } }]
  const rejected = { state: 'rejected', reason: 'no links' } as const
  assert.deepEqual((await withRun(rejected)).broken({ ended: ended(4) }), [])
  assert.deepEqual((await withRun(rejected)).broken({ ended: ended(0) }), ['exit codes tell the truth'])
  const { broken } = await withRun({ startedAt: toIso(from) })
  assert.deepEqual(broken({ ended: ended(1) }), ['exit codes tell the truth'])
})

test('every invariant has a name of its own', () => {
  assert.equal(new Set(invariantNames).size, invariantNames.length)
})
