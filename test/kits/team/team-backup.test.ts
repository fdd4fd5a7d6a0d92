import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../../src/core/millis.ts'
import { DiskError } from '../../../src/world/disk.ts'
import { collect, namesIn, textOf, worldOf } from './rig.ts'

const files = {
  'claw.yaml': 'team: t\n',
  'agents/ann/SOUL.md': 'Be exact.\n',
  'agents/ann/knowledge/daily/2026-10-01/a.md': 'old work\n',
  'agents/ann/knowledge/daily/2026-11-29/a.md': 'new work\n',
  'agents/ann/sessions/small.jsonl': '{}\n',
  'agents/ann/sessions/large.jsonl': 'x'.repeat(5000),
  'agents/ann/skills/s/node_modules/m/index.js': 'x',
  'agents/ann/.env': 'KEY=secret\n',
  'shared-context/PROJECT_STATUS.md': 'on\n',
}
const options = { sessionBytes: 4096 }

test('the copy holds the workspace without secrets, large transcripts and packages; old work is copied once', async () => {
  const world = worldOf(files)
  const { items, sources, notes } = await collect('team.backup', world, { options })
  assert.equal(sources[0]!.state, 'ok')
  assert.equal(textOf(world, 'backups/2026-11-30/agents/ann/SOUL.md'), 'Be exact.\n')
  assert.equal(textOf(world, 'backups/2026-11-30/agents/ann/knowledge/daily/2026-11-29/a.md'), 'new work\n')
  assert.equal(textOf(world, 'backups/older/agents/ann/knowledge/daily/2026-10-01/a.md'), 'old work\n')
  for (const gone of [
    'sessions/large.jsonl',
    '.env',
    'skills/s/node_modules/m/index.js',
    'knowledge/daily/2026-10-01/a.md',
  ])
    assert.equal(textOf(world, `backups/2026-11-30/agents/ann/${gone}`), undefined, gone)
  assert.match(items[0]!.summary, /^5 files, \d+ bytes, every size verified; 1 older folders copied/)
  assert.deepEqual(JSON.parse(textOf(world, 'backups/2026-11-30/MANIFEST.json')!).leftOut, [
    'agents/ann/sessions/large.jsonl',
  ])
  assert.ok(notes.includes('there is no skills'))
})

test('a second backup of a day gets a name of its own, and only the newest stay', async () => {
  const world = worldOf(files)
  for (let day = 0; day < 4; day += 1) {
    await collect('team.backup', world, { options: { ...options, keep: 3 } })
    if (day > 0) await world.clock.sleep(dayMs)
  }
  assert.deepEqual(namesIn(world, 'backups'), ['2026-11-30-1000', '2026-12-01', '2026-12-02', 'older'])
})

test('a disk that fails leaves the old backups, no half copy, and says why', async () => {
  const world = worldOf(files)
  await collect('team.backup', world, { options })
  const before = textOf(world, 'backups/2026-11-30/MANIFEST.json')
  await world.clock.sleep(dayMs)
  let left = 3
  const create = world.disk.create.bind(world.disk)
  world.disk.create = (path, bytes, mode) => {
    if (left-- === 0) throw new DiskError('ENOSPC', 'write', path)
    return create(path, bytes, mode)
  }
  const { items, sources, ready } = await collect('team.backup', world, { options })
  assert.deepEqual([items.length, ready, sources[0]!.state], [0, false, 'failed'])
  assert.match(sources[0]!.why!, /^no backup was made: ENOSPC/)
  assert.deepEqual(namesIn(world, 'backups'), ['2026-11-30', 'older'])
  assert.equal(textOf(world, 'backups/2026-11-30/MANIFEST.json'), before)
})

test('a copy of another size than what was read is no backup', async () => {
  const world = worldOf(files)
  const create = world.disk.create.bind(world.disk)
  world.disk.create = (path, bytes, mode) =>
    create(path, path.endsWith('SOUL.md') ? bytes.slice(1) : bytes, mode)
  const { sources } = await collect('team.backup', world, { options })
  assert.match(sources[0]!.why!, /SOUL\.md has 9 bytes instead of 10/)
  assert.deepEqual(
    namesIn(world, 'backups').filter(name => name !== 'older'),
    [],
  )
})

test('a dry run copies nothing, and a stopped run leaves nothing', async () => {
  const world = worldOf(files)
  await collect('team.backup', world, { options, isDry: true })
  assert.deepEqual(namesIn(world, 'backups'), [])
  const { sources } = await collect('team.backup', world, { options, signal: AbortSignal.abort() })
  assert.match(sources[0]!.why!, /stopped after/)
  assert.deepEqual(
    namesIn(world, 'backups').filter(name => name !== 'older'),
    [],
  )
})
