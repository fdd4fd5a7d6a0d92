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

/** Ticks, once the team is so many days older. */
async function after(made: Rig, days: number): Promise<{ err: string }> {
  return tick(nextProcess(made, days * dayMs))
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

test('it is done once a day, and a dry run only counts', async () => {
  const made = await grownTeam()
  await after(made, 50)
  const { out } = await tick(nextProcess(made, hourMs), '--json')
  assert.equal((JSON.parse(out) as { upkeep: unknown }).upkeep, null)
  const later = nextProcess(made, 50 * dayMs)
  const files = paths(made, '')
  const plan = JSON.parse((await tick(later, '--dry-run', '--json')).out) as {
    upkeep: Record<string, number>
  }
  assert.deepEqual([plan.upkeep['deliveries'], plan.upkeep['backups']], [2, 1])
  assert.deepEqual(paths(made, ''), files)
})
