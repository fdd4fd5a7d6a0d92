import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collect, textOf, worldOf } from './rig.ts'

const report = 'shared-context/memory-maintenance-latest.json'
const files = {
  'agents/ann/MEMORY.md': '# Memory\n\n- short\n',
  'agents/ann/memory/2026-11-01.md': 'old',
  'agents/ann/memory/2026-11-29.md': 'new',
  'agents/bob/MEMORY.md': '一'.repeat(5000),
  'agents/cat/SOUL.md': 'x',
}

test('each MEMORY.md is measured in tokens and lines, one over the cap is an alert, a missing one a failed source', async () => {
  const world = worldOf(files)
  const { items, sources } = await collect('team.memory', world)
  assert.deepEqual(
    items.map(({ title }) => title),
    ['ALERT: agents/bob/MEMORY.md', 'agents/ann/MEMORY.md'],
  )
  assert.equal(
    items[1]!.summary,
    '3 lines, about 5 tokens; 1 daily notes older than 14 days; 0 learnings pending',
  )
  assert.deepEqual(
    sources.filter(({ state }) => state === 'failed').map(({ name }) => name),
    ['agents/cat/MEMORY.md'],
  )
  const { dry_run, agents } = JSON.parse(textOf(world, report)!)
  assert.equal(dry_run, true)
  assert.deepEqual([agents.ann.daily_memory_due, agents.bob.memory_warning], [1, true])
  assert.equal(textOf(world, 'agents/ann/memory/2026-11-01.md'), 'old', 'nothing is archived')
})

test('a dry run writes no report', async () => {
  const world = worldOf(files)
  await collect('team.memory', world, { isDry: true })
  assert.equal(textOf(world, report), undefined)
})
