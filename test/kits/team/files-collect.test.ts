import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs } from '../../../src/core/millis.ts'
import { collect, worldOf } from './rig.ts'

const digest = `# Digest

One line that sums up the day.

## Top

- ★★★★☆ [A tool](https://a.example/tool): it is out. (Wire, 2026-11-30)
- an entry without a link

## Papers

| paper | stars |
|---|---|
| [On memory](https://b.example/paper) | ★★★★★ |
`

const day = 'agents/ainews/knowledge/daily'

test('each linked entry of a Markdown file is an item with its link, stars and heading; the rest is quoted by section', async () => {
  const world = worldOf({ [`${day}/2026-11-30/digest.md`]: digest })
  const { items, sources, ready } = await collect('files.collect', world, {
    options: { files: [`${day}/{date}/digest.md`] },
  })
  const path = `${day}/2026-11-30/digest.md`
  assert.deepEqual(
    items.map(({ url, title, stars, category, source }) => [url, title, stars, category, source]),
    [
      ['', 'digest: Digest', 1, 'digest', path],
      ['https://a.example/tool', 'A tool', 4, 'top', path],
      ['', 'digest: Top', 1, 'top', path],
      ['https://b.example/paper', 'On memory', 5, 'papers', path],
      ['', 'digest: Papers', 1, 'papers', path],
    ],
  )
  assert.equal(items[0]!.summary, 'One line that sums up the day.')
  assert.equal(items[1]!.summary, 'it is out. (Wire, 2026-11-30)')
  assert.equal(items[1]!.published, '2026-11-30T02:00:00.000Z')
  assert.deepEqual(sources, [{ name: path, url: path, state: 'ok', items: 5 }])
  assert.equal(ready, true)
})

test('of a report without a model only the linked items are taken, without what it says of itself; else what it quotes', async () => {
  const banner =
    '# A\n\nMonday 2026-11-30, UTC\n\n> No model was used for this report.\n>\n> missing: a quote tool\n\n'
  const world = worldOf({
    'a/linked.md': `${banner}## Top\n\n- ★★★☆☆ [A](https://a.example/1) (Wire, 2026-11-30): It is out.\n\n**b** (c): d\n`,
    'a/quoted.md': `${banner}## Top\n\n**b** (c): d\n\n## Open\n\nNothing was gathered for this section.\n`,
  })
  const { items } = await collect('files.collect', world, {
    options: { files: ['a/linked.md', 'a/quoted.md'] },
  })
  assert.deepEqual(
    items.map(({ title, summary }) => [title, summary]),
    [
      ['A', 'It is out.'],
      ['quoted: Top', '**b** (c): d'],
    ],
  )
})

test('a file that is missing, old, binary or out of bounds is a source that failed, and nothing stands in for it', async () => {
  const world = worldOf({ 'a/old.md': 'old', 'a/bin.md': 'a\0b', '.env': 'KEY=1', 'a/new.md': 'new' })
  world.disk.truncate('/ws/a/old.md', 3)
  await world.clock.sleep(20 * hourMs)
  world.disk.append('/ws/a/new.md', new TextEncoder().encode(' text'))
  const { items, sources } = await collect('files.collect', world, {
    options: {
      files: ['a/old.md', 'a/gone.md', 'a/*.txt', '../x.md', '.env', '.claw/outbox/a.jsonl', 'a/new.md'],
      maxAgeHours: 14,
    },
  })
  assert.deepEqual(
    items.map(({ summary }) => summary),
    ['new text'],
  )
  assert.deepEqual(
    sources.map(({ why }) => why ?? 'ok'),
    [
      '20 hours old, at most 14 hours are allowed',
      'no such file',
      'no file matches',
      '.. is refused; give the path from your folder or from the workspace',
      'this holds secrets or machine state and is never shown to a model',
      'this holds secrets or machine state and is never shown to a model',
      'ok',
    ],
  )
  const binary = await collect('files.collect', world, { options: { files: ['a/bin.md'] } })
  assert.deepEqual([binary.sources[0]!.why, binary.ready], ['no text', false])
})

test('a pattern takes the newest of what it matches, and dates are those of the zone', async () => {
  const days = ['27', '28', '29', '30'].map(date => `${day}/2026-11-${date}/a.md`)
  const world = worldOf(Object.fromEntries(days.map(path => [path, path.slice(-13, -5)])))
  const newest = await collect('files.collect', world, {
    options: { files: [`${day}/*/a.md`], newest: 2 },
  })
  assert.deepEqual(
    newest.sources.map(({ name }) => name),
    days.slice(2),
  )
  await world.clock.sleep(15 * hourMs)
  const named = await collect('files.collect', world, {
    options: { files: [`${day}/{yesterday}/a.md`, '{week}-{month}.md'] },
  })
  assert.deepEqual(
    named.sources.map(({ name }) => name),
    [days[3], '2026-W49-2026-12.md'],
  )
})

test('with max only the best linked items stay, a category counts for all, and a cut is told', async () => {
  const world = worldOf({ 'a/digest.md': digest, 'a/log.jsonl': '{"n":1}\n'.repeat(50) + '{"n":"last"}\n' })
  const few = await collect('files.collect', world, {
    options: { files: ['a/digest.md'], max: 1, category: 'ai' },
  })
  const linked = few.items.filter(({ url }) => url !== '')
  assert.deepEqual(
    linked.map(({ url, category }) => [url, category]),
    [['https://b.example/paper', 'ai']],
  )
  const log = await collect('files.collect', world, { options: { files: ['a/log.jsonl'], maxChars: 100 } })
  assert.match(log.items[0]!.summary, /^\{"n":1\}\n[^]*"last"\}$/)
  assert.match(log.notes[0]!, /^a\/log\.jsonl: \d+ characters were left out/)
})

test('a misspelt option is refused by name', async () => {
  const options = { files: ['a.md'], maxAge: 3 }
  await assert.rejects(
    collect('files.collect', worldOf({}), { options }),
    /files\.collect: unknown key `maxAge`/,
  )
})

test('a megabyte of hostile Markdown is read in bounded time', async () => {
  const world = worldOf({
    'a/x.md': '- [a]('.repeat(60_000),
    'a/y.md': `${'['.repeat(200_000)}\n- ★ [b](https://b.example)`,
  })
  const started = performance.now()
  await collect('files.collect', world, { options: { files: ['a/x.md', 'a/y.md'], maxChars: 200_000 } })
  assert.ok(performance.now() - started < 3000, `${performance.now() - started} ms`)
})
