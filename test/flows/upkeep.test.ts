import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { scriptedChannel } from '../../src/adapters/channels/scripted.ts'
import { dayMs, hourMs } from '../../src/core/millis.ts'
import { enqueue } from '../../src/records/outbox.ts'
import { peekSessionIndex } from '../../src/records/sessions.ts'
import { putBlob } from '../../src/store/blob.ts'
import { command, nextProcess, type Rig, root, warmUp } from './command-rig.ts'
import { assertSound } from './sound.ts'
import { soleJob, tick } from './tick-rig.ts'

before(warmUp)

const refusing = scriptedChannel({
  kind: 'blind',
  script: () => ({ kind: 'refused', why: 'no', permanent: true }),
})

/** A team that has run a job and talked to a person, with one file of each kind that grows. */
async function grownTeam(): Promise<Rig> {
  const made = soleJob([], { now: '2026-06-01T00:31:00Z', otherSide: { blind: refusing } })
  await command(made, 'run', 'ann', 'list', '--slot', 'due')
  await command(nextProcess(made), 'run', 'ann', '-m', 'Hello')
  const { world } = made
  world.disk.remove(`${root}/agents/ann/jobs/list.md`)
  putBlob(world, root, 'what was there before a change')
  const open = { key: 'k', channel: 'blind', pieces: ['waits'], agent: 'ann', job: null, run: 'r' }
  await enqueue(world, root, '20260601', open)
  await command(
    nextProcess(made),
    'outbox',
    'drop',
    await enqueue(world, root, '20260601', { ...open, key: 'd' }),
  )
  for (const path of ['backups/ann_MEMORY.md/old', 'backups/crontab/old', 'slots/ann/list/notes.txt']) {
    for (const folder of ['backups', 'backups/ann_MEMORY.md', 'backups/crontab'])
      world.disk.mkdir(`${root}/.claw/${folder}`)
    world.disk.create(`${root}/.claw/${path}`, Buffer.from('x'))
  }
  return made
}

const paths = ({ world }: Rig, below: string): string[] =>
  world.disk.paths(`${root}/${below}`).map(path => path.slice(root.length + 1))

/** Ticks, once the team is so many days older; twice, since after a long silence the first one tidies nothing up. */
async function after(made: Rig, days: number): Promise<{ err: string }> {
  const first = await tick(nextProcess(made, days * dayMs))
  return days > 7 ? tick(nextProcess(made)) : first
}

const transcripts = (made: Rig): number =>
  paths(made, 'agents/ann/sessions').filter(path => path.endsWith('.jsonl')).length

test('transcripts of isolated runs go after a week, those of people stay', async () => {
  const made = await grownTeam()
  await after(made, 6)
  assert.equal(transcripts(made), 2)
  const { err } = await after(made, 2)
  assert.match(err, /tidied up: 1 sessions/)
  assert.equal(transcripts(made), 1)
  assert.deepEqual(Object.keys(peekSessionIndex(made.world.disk, root, 'ann')), ['agent:ann:main'])
  await assertSound(made, 'after upkeep')
})

test('where sessions.json cannot be read no transcript goes', async () => {
  const made = await grownTeam()
  const path = `${root}/agents/ann/sessions/sessions.json`
  made.world.disk.remove(path)
  made.world.disk.create(path, Buffer.from('{'))
  await after(made, 10)
  assert.equal(transcripts(made), 2)
})

test('claims go after 40 days, blobs after 45, backups and settled deliveries after 90, and nothing else', async () => {
  const made = await grownTeam()
  const blob = () => paths(made, '.claw/blobs').length
  const before = blob()
  await after(made, 39)
  assert.equal(paths(made, '.claw/slots').filter(path => path.includes('2026-06-01T00-30Z')).length, 2)
  await after(made, 2)
  assert.deepEqual(
    paths(made, '.claw/slots').filter(path => path.includes('2026-06-01T00-30Z')),
    [],
  )
  assert.ok(paths(made, '.claw/slots').includes('.claw/slots/ann/list/notes.txt'), 'no claim, so not ours')
  assert.equal(blob(), before)
  await after(made, 5)
  assert.ok(blob() < before)
  assert.equal(paths(made, '.claw/outbox/done').length, 2)
  await after(made, 50)
  assert.deepEqual(paths(made, '.claw/outbox/done'), [])
  assert.equal(paths(made, '.claw/outbox').length, 1, 'one that is not settled stays')
  assert.deepEqual(paths(made, '.claw/backups'), ['.claw/backups/crontab/old'])
  await assertSound(made, 'after upkeep')
})

test('in the first tick after a silence of more than a week nothing goes: the clock may be wrong', async () => {
  const made = await grownTeam()
  await tick(made)
  await tick(nextProcess(made, 400 * dayMs))
  assert.equal(transcripts(made), 2)
  await tick(nextProcess(made))
  assert.equal(transcripts(made), 1)
})

test('it is done once a day, and a dry run only counts', async () => {
  const made = await grownTeam()
  await after(made, 50)
  const { out } = await tick(nextProcess(made, hourMs), '--json')
  assert.equal((JSON.parse(out) as { upkeep: unknown }).upkeep, null)
  await tick(nextProcess(made, 50 * dayMs))
  const later = nextProcess(made)
  const files = paths(made, '')
  const plan = JSON.parse((await tick(later, '--dry-run', '--json')).out) as {
    upkeep: Record<string, number>
  }
  assert.deepEqual([plan.upkeep['deliveries'], plan.upkeep['backups']], [2, 1])
  assert.deepEqual(paths(made, ''), files)
})

test('the log of launchd is moved aside once it has a megabyte, so that there are two at most', async () => {
  const made = await grownTeam()
  const { disk } = made.world
  const log = `${root}/.claw/launchd.log`
  const sizes = () => ['', '.old'].map(end => disk.text(`${log}${end}`)?.length)
  disk.create(log, Buffer.from('x'.repeat(1024 * 1024)))
  await after(made, 1)
  assert.deepEqual(sizes(), [1024 * 1024, undefined])
  for (let day = 0; day < 3; day++) {
    if (disk.text(log) === undefined) disk.create(log, Buffer.from('x'.repeat(1024 * 1024)))
    disk.append(log, Buffer.from('y'))
    await after(made, 1)
    assert.deepEqual(sizes(), [undefined, 1024 * 1024 + 1])
  }
})
