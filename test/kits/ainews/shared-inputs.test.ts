import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { simWorld } from '../../../src/sim/sim-world.ts'
import { parseFeed } from '../../../src/kits/ainews/parse-feed.ts'
import { readTrendingPage } from '../../../src/kits/ainews/trending-page.ts'
import { decodeEntities } from '../../../src/core/html-entity.ts'
import { decodeBytes } from '../../../src/core/text-encoding.ts'
import { feedDate } from '../../../src/core/feed-date.ts'
import { nodeDisk } from '../../../src/world/node-disk.ts'
import { sharedPath } from '../../shared.ts'
import { tempDir } from '../../temp-dir.ts'
import { collector, contextOf } from './rig.ts'

const context = (root: string) =>
  contextOf({ ...simWorld({ now: '2026-11-30T12:00:00Z' }), disk: nodeDisk }, { root })
const feeds = sharedPath('data', 'feeds')
const arxiv = sharedPath('data', 'arxiv')
const trending = sharedPath('data', 'github-trending')
const hn = sharedPath('data', 'hn')

test(
  'real feeds: none crashes, each that cannot be read is named, each address comes from its input',
  { skip: !feeds },
  async () => {
    const options = { list: `file:${feeds}`, max: 1000, perSource: 1000 }
    const { items, sources } = await collector('feeds.collect')(options, context(feeds!))
    const files = readdirSync(feeds!, { recursive: true })
      .map(String)
      .filter(name => /\.(xml|rss|atom|rdf|json)$/.test(name))
    assert.deepEqual(sources.map(({ url }) => url.slice('file:'.length)).sort(), files.sort())
    assert.ok(sources.every(({ state, why }) => (state === 'failed') === (why !== undefined)))
    const wrong = items.filter(({ url, source }) => !isIn(textOf(source.split(': ').at(-1)!), url))
    assert.deepEqual(
      wrong.map(({ url, source }) => `${source}: ${url}`),
      [],
    )
    const withItems = sources.filter(({ state }) => state === 'ok').length
    console.log(`# ${sources.length} files, ${withItems} with items, ${items.length} items`)
  },
)

const texts = new Map<string, string[]>()

/** Of one file: as it is, and with its references decoded once and twice. */
function textOf(file: string): string[] {
  const known = texts.get(file)
  if (known) return known
  const text = decodeBytes(readFileSync(join(feeds!, file))).text.replaceAll('\\/', '/')
  const once = decodeEntities(text)
  const forms = [text, once, decodeEntities(once)]
  texts.set(file, forms)
  return forms
}

/** Of a relative link, which is resolved, only its own part is in the input. */
function isIn(inputs: readonly string[], url: string): boolean {
  const last = decodeURI(new URL(url).pathname.replace(/\/$/, '')).split('/').at(-1)!
  return inputs.some(input => input.includes(url) || (last !== '' && input.includes(last)))
}

test(
  'real feeds: as many items, with the same titles, as another parser found',
  { skip: !feeds },
  async () => {
    const folder = join(feeds!, 'rss-parser')
    for (const name of readdirSync(folder).filter(file => /\.(rss|atom)$/.test(file))) {
      const oracle = join(folder, 'expected', name.replace(/\.\w+$/, '.json'))
      if (!nodeDisk.stat(oracle)) continue
      const expected = JSON.parse(readFileSync(oracle, 'utf8')).feed.items as {
        title?: string
        link?: string
      }[]
      const feed = await parseFeed({ bytes: readFileSync(join(folder, name)), contentType: '', url: '' })
      assert.equal(feed.raw, expected.filter(item => Object.keys(item).length > 0).length, name)
      const links = new Set(feed.items.map(({ link }) => link))
      const missing = expected.filter(({ link }) => link?.startsWith('http') && !links.has(link.trim()))
      assert.deepEqual(
        missing.map(({ link }) => link),
        [],
        name,
      )
    }
  },
)

test('real dates: each is read as another parser reads it, or not at all', { skip: !feeds }, () => {
  interface DateCase {
    parser: string
    input: string
    expected_utc: number[] | null
  }
  const { cases } = JSON.parse(readFileSync(join(feeds!, 'feedparser/date-vectors.json'), 'utf8')) as {
    cases: DateCase[]
  }
  const wrong = cases.filter(({ parser, input, expected_utc: parts }) => {
    const at = feedDate(input)
    if (at === undefined || parser === 'nate') return false
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts ?? []
    return parts === null || Date.UTC(year, month - 1, day, hour, minute, second) !== at
  })
  assert.deepEqual(
    wrong.map(({ input }) => input),
    [],
  )
  const read = cases.filter(({ input }) => feedDate(input) !== undefined).length
  console.log(`# ${read} of ${cases.filter(one => one.expected_utc).length} dates read`)
})

test(
  'real arXiv answers: recorded bodies are read, an empty and a refused one are told apart',
  { skip: !arxiv },
  async t => {
    const folder = tempDir(t)
    let entries = 0
    for (const name of readdirSync(join(arxiv!, 'arxiv.py'))) {
      const { body, status_code } = JSON.parse(readFileSync(join(arxiv!, 'arxiv.py', name), 'utf8'))
      if (status_code !== 200) continue
      entries += (body.match(/<entry>/g) ?? []).length
      writeFileSync(join(folder, `${name}.atom`), body)
    }
    const { counts, sources } = await collector('arxiv.search')(
      { list: `file:${folder}`, max: 500 },
      context(folder),
    )
    assert.equal(counts['candidates'], entries)
    assert.deepEqual(
      sources.filter(({ state }) => state === 'failed'),
      [],
    )
    const named = await collector('arxiv.search')({ list: `file:${join(arxiv!, 'atom')}` }, context(arxiv!))
    console.log(
      `# ${entries} entries in ${sources.length} answers; ${named.sources.map(({ state, why }) => why ?? state).join(', ')}`,
    )
  },
)

test('real trending pages: every repository, its stars of the day too', { skip: !trending }, () => {
  const newer = page('trending-2023-go-trending.html')
  const older = page('trending-2020-huchenme.html')
  assert.ok(newer.kind === 'rows' && older.kind === 'rows')
  assert.deepEqual(
    newer.rows.map(({ name, stars, forks, periodStars }) => [name, stars, forks, periodStars]),
    oracle('trending-2023-go-trending.expected.json').repositories.map((one: Record<string, unknown>) => [
      one['repo'],
      one['stars'],
      one['forks'],
      one['stars_today'],
    ]),
  )
  assert.deepEqual(
    older.rows.map(({ name, stars, periodStars }) => [name, stars, periodStars]),
    Object.entries<Record<string, unknown>[]>(oracle('huchenme.expected.json'))
      .find(([key]) => key.includes('Repositories'))![1]
      .map(one => [`${one['author']}/${one['name']}`, one['stars'], one['currentPeriodStars']]),
  )
})

test('real Hacker News material: stories only', { skip: !hn }, async () => {
  const { sources, items } = await collector('hn.top')(
    { list: `file:${hn}`, minPoints: 0, limit: 200 },
    context(hn!),
  )
  assert.ok(items.length >= 50)
  console.log(
    `# ${sources.map(({ name, items: count, why }) => `${name.split(': ').at(-1)} ${why ?? count}`).join('; ')}`,
  )
})

function page(name: string) {
  return readTrendingPage(readFileSync(join(trending!, name), 'utf8'))
}

function oracle(name: string) {
  return JSON.parse(readFileSync(join(trending!, name), 'utf8'))
}
