import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../../src/core/millis.ts'
import { memoryCache } from '../ainews/rig.ts'
import { collect, worldOf } from './rig.ts'

function job(schedule: string, more = ''): string {
  return `---\nschedule: "${schedule}"\ntz: Asia/Shanghai\n${more}---\nMUST: write.\n`
}

function status(agent: string, name: string, more: Record<string, unknown>): Record<string, string> {
  const value = {
    agent,
    job: name,
    run: 'r',
    reason: '',
    at: '2026-11-30T00:30:05.000Z',
    failuresInRow: 0,
    ...more,
  }
  return { [`shared-context/job-status/${agent}.${name}.json`]: JSON.stringify(value) }
}

/** Monday, 10:00. */
const team = {
  'agents/ann/jobs/brief.md': job('30 8 * * *'),
  'agents/ann/jobs/late.md': job('0 20 * * *'),
  'agents/bob/jobs/scan.md': job('0 9 * * 1-5'),
  'agents/cat/jobs/weekly.md': job('0 9 * * 0'),
  'agents/cat/jobs/off.md': job('0 9 * * *', 'enabled: false\n'),
  'agents/dan/jobs/bad.md': job('0 9 * * *', 'tiemout: 3s\n'),
  ...status('ann', 'brief', { state: 'ok' }),
  ...status('ann', 'late', {
    state: 'failed',
    reason: 'network: no route',
    failuresInRow: 2,
    at: '2026-11-29T12:00:00.000Z',
  }),
}

async function factsOf(files: Record<string, string>, parts: string[]): Promise<string[]> {
  const { items } = await collect('team.collect', worldOf(files), { options: { parts } })
  return items.map(({ title, summary, source }) => `${title} | ${summary} | ${source}`)
}

test('silent, failing, not due today, switched off and unreadable are told apart, the urgent first', async () => {
  assert.deepEqual(await factsOf(team, ['jobs']), [
    'ALERT: ann/late failed, 2 times in a row | network: no route | shared-context/job-status/ann.late.json',
    'ALERT: bob is silent today | due today so far: 1; no run: scan (due 09:00) | shared-context/job-status',
    'a job file cannot be read | unknown key `tiemout`; did you mean `timeout`? | agents/dan/jobs/bad.md',
    'jobs of ann | due today so far: 1; ran: brief ok | shared-context/job-status',
    'jobs of cat | no job was due today so far; switched off: 1 | shared-context/job-status',
  ])
})

test('a run of yesterday does not count for today, and a job that was due a moment ago is not missed', async () => {
  const files = {
    'agents/ann/jobs/brief.md': job('30 8 * * *'),
    'agents/bob/jobs/now.md': job('55 9 * * *'),
    ...status('ann', 'brief', { state: 'ok', at: '2026-11-29T00:30:05.000Z' }),
  }
  const facts = await factsOf(files, ['jobs'])
  assert.match(facts[0]!, /^ALERT: ann is silent today/)
  assert.match(facts[1]!, /^jobs of bob \| no job was due today so far/)
})

test('the job that asks is not missed by itself', async () => {
  const world = worldOf({ 'agents/ann/jobs/look.md': job('30 8 * * *') })
  const ask = (name: string) =>
    collect('team.collect', world, {
      options: { parts: ['jobs'] },
      names: { date: '2026-11-30', agent: 'ann', job: name },
    })
  assert.deepEqual(
    (await ask('look')).items.map(({ title }) => title),
    ['jobs of ann'],
  )
  assert.deepEqual(
    (await ask('other')).items.map(({ title }) => title),
    ['ALERT: ann is silent today'],
  )
})

test('what was decoded is kept until the job file changes', async () => {
  const world = worldOf(team)
  const cache = memoryCache()
  const run = () => collect('team.collect', world, { options: { parts: ['jobs'] }, cache })
  const first = await run()
  const kept = cache.texts['timings.json']!
  assert.match(kept, /agents\/bob\/jobs\/scan\.md/)
  cache.texts['timings.json'] = kept.replace('0 9 * * 1-5', '0 9 * * 0')
  assert.notDeepEqual((await run()).items, first.items, 'the kept timing was not used')
  world.disk.append('/ws/agents/bob/jobs/scan.md', new TextEncoder().encode('\nMore.\n'))
  assert.deepEqual(
    (await run()).items.map(({ title }) => title),
    first.items.map(({ title }) => title),
  )
})

test('sessions, learnings, deliveries, disk, files of the team and backups give a fact each', async () => {
  const files = {
    'agents/ann/sessions/a.jsonl': 'x'.repeat(2 ** 20 + 1),
    'agents/ann/.learnings/LEARNINGS.md':
      '# L\n## [LRN-1] a\n**Status**: pending\n## [LRN-2] b\n**Status**: resolved\n## [LRN-3] c\nno state\n',
    '.claw/outbox/202611-a.jsonl': '{}\n',
    '.claw/outbox/done/2026-11/202611-b.jsonl': '{}\n',
    'shared-context/PROJECT_STATUS.md': 'x',
    'backups/2026-11-29/MANIFEST.json': '{}',
  }
  const world = worldOf(files)
  await world.clock.sleep(3 * dayMs)
  const { items, sources } = await collect('team.collect', world)
  const text = (title: string) => items.find(item => item.title === title)?.summary
  assert.match(text('sessions of ann')!, /^a transcript of 1\.0 MiB;/)
  assert.equal(text('sessions'), 'ann 1.0 MiB in 1 files')
  assert.equal(text('learnings'), 'ann 2 pending')
  assert.equal(text('deliveries'), '1 open; claw outbox list names them')
  assert.match(
    text('disk use')!,
    /^1\.0 MiB in all; agents 1\.0 MiB in 2 files; .*shared-context 1 bytes in 1 files/,
  )
  assert.equal(text('shared-context/PROJECT_STATUS.md'), 'not written for 3 days')
  assert.equal(text('ALERT: backup'), 'the newest is 2026-11-29, older than two days')
  assert.ok(sources.every(({ state }) => state !== 'failed'))
})

test('with agents only theirs are looked at', async () => {
  const { items } = await collect('team.collect', worldOf(team), {
    options: { parts: ['jobs', 'learnings'], agents: ['ann'] },
  })
  assert.deepEqual(
    items.map(({ title }) => title),
    ['ALERT: ann/late failed, 2 times in a row', 'jobs of ann', 'learnings'],
  )
})

test('the disk is looked at once a day, and a folder of a past day is not walked again', async () => {
  const folder = 'agents/ann/knowledge/daily'
  const world = worldOf({
    [`${folder}/2026-11-01/a.md`]: 'x'.repeat(100),
    [`${folder}/2026-11-30/a.md`]: 'x',
  })
  const cache = memoryCache()
  const listed: string[] = []
  const list = world.disk.list.bind(world.disk)
  world.disk.list = path => {
    listed.push(path)
    return list(path)
  }
  const look = async () =>
    (await collect('team.collect', world, { options: { parts: ['disk'] }, cache })).items[0]!.summary
  assert.equal(await look(), '101 bytes in all; agents 101 bytes in 2 files')
  world.disk.create('/ws/agents/b.md', new TextEncoder().encode('xx'))
  assert.equal(await look(), '101 bytes in all; agents 101 bytes in 2 files')
  await world.clock.sleep(dayMs)
  listed.length = 0
  assert.equal(await look(), '103 bytes in all; agents 103 bytes in 3 files')
  assert.ok(listed.includes(`/ws/${folder}`) && !listed.includes(`/ws/${folder}/2026-11-01`))
})

test('an empty workspace gives facts and no failure', async () => {
  const { items, ready } = await collect('team.collect', worldOf({}))
  assert.equal(ready, true)
  assert.ok(items.some(({ title, summary }) => title === 'deliveries' && summary === 'none is open'))
})
