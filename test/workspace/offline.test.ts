import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobKey } from '../../src/core/job.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'
import { runAt } from './offline-rig.ts'
import { templateJobs, templateTree } from './template-files.ts'

/** Their reflection of the Saturday, as those agents leave it. */
function reflectOf({ disk }: SimWorld, agents: readonly string[]): void {
  for (const agent of agents) {
    const folders = ['knowledge', 'daily', '2026-11-28']
    const path = folders.reduce((above, name) => {
      disk.mkdir(`${above}/${name}`)
      return `${above}/${name}`
    }, `/ws/agents/${agent}`)
    disk.create(`${path}/reflection.md`, new TextEncoder().encode(`## Done\n\nThe day of ${agent}.\n`))
  }
}

/** Without a key and without a network: the Saturday of the samples, its night, and the Sunday. */
const days: [at: string, job: string][] = [
  ['2026-11-27T19:00:30Z', 'zoe/daily-backup'],
  ['2026-11-28T00:30:30Z', 'ainews/morning-digest'],
  ['2026-11-28T01:00:30Z', 'content/morning-trending'],
  ['2026-11-28T01:30:30Z', 'content/research-x'],
  ['2026-11-28T02:00:30Z', 'zoe/inspection'],
  ['2026-11-28T02:30:30Z', 'content/ideas'],
  ['2026-11-28T04:00:30Z', 'ainews/paper-digest'],
  ['2026-11-28T05:00:30Z', 'content/midday-trending'],
  ['2026-11-28T06:00:30Z', 'content/write-drafts'],
  ['2026-11-28T11:00:30Z', 'content/evening-trending'],
  ['2026-11-28T12:00:30Z', 'ainews/evening-report'],
  ['2026-11-28T13:00:30Z', 'ainews/daily-reflection'],
  ['2026-11-28T13:40:30Z', 'ainews/github-trending'],
  ['2026-11-28T13:50:30Z', 'ainews/ops-summary'],
  ['2026-11-28T14:00:30Z', 'zoe/inspection'],
  ['2026-11-28T14:10:30Z', 'content/daily-reflection'],
  ['2026-11-28T15:45:30Z', 'zoe/team-reflection'],
  ['2026-11-28T20:30:30Z', 'zoe/memory-maintenance'],
  ['2026-11-29T02:00:30Z', 'ainews/weekly-review'],
  ['2026-11-29T03:00:30Z', 'zoe/weekly-tech-radar'],
  ['2026-11-29T13:15:30Z', 'content/weekly'],
]

test('two days of ainews, content and zoe run without a key: each job ends well, stores its file and delivers', async () => {
  const world = simWorld({ now: '2026-11-27T19:00:00Z', files: templateTree() })
  const jobs = await templateJobs()
  const texts = new Map<string, string>()
  for (const [at, key] of days) {
    if (key === 'zoe/team-reflection') reflectOf(world, ['butler', 'macro', 'trading'])
    const job = jobs.find(one => jobKey(one) === key)!
    const { state, reason, text, files, delivery } = await runAt(world, at, key)
    assert.deepEqual([key, state, reason], [key, 'ok', ''])
    assert.equal(files.length, job.produces.length, `${key}: ${files.join(', ')}`)
    assert.doesNotMatch(files.join(), /[{}]/, key)
    const isSpeaking = job.deliver?.mode === 'self-post' || job.deliver?.mode === 'announce'
    if (isSpeaking)
      assert.deepEqual(
        delivery.map(one => one.state),
        ['delivered'],
        key,
      )
    for (const lack of job.lacks)
      assert.ok(text.includes(lack.split(' (')[0]!), `${key} says what it lacks: ${lack}`)
    texts.set(`${key} ${at.slice(8, 13)}`, text)
  }
  assert.match(texts.get('zoe/daily-backup 27T19') ?? '', /every size verified/)
  assert.match(texts.get('zoe/inspection 28T02') ?? '', /ALERT: macro is silent today/)
  assert.match(texts.get('zoe/memory-maintenance 28T20') ?? '', /MEMORY\.md.*tokens/)
  assert.ok(world.disk.stat('/ws/backups/2026-11-28/MANIFEST.json'))
})

test('what waits for a file that never comes is not run on time; when its window is over it runs without and says so', async () => {
  const world = simWorld({ now: '2026-11-28T01:29:00Z', files: templateTree() })
  const early = await runAt(world, '2026-11-28T01:30:30Z', 'content/research-x')
  assert.equal(early.state, 'skipped')
  assert.match(early.reason, /^waits for a file: .*morning-digest\.md is not there/)
  const late = await runAt(world, '2026-11-28T04:31:00Z', 'content/research-x')
  assert.equal(late.state, 'ok', late.reason)
  assert.match(late.text, /morning-digest\.md is not there/)
})
