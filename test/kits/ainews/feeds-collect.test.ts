import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { simWorld } from '../../../src/sim/sim-world.ts'
import { nodeDisk } from '../../../src/world/node-disk.ts'
import { HttpError } from '../../../src/world/http.ts'
import { type Disk, DiskError } from '../../../src/world/disk.ts'
import { repoDir } from '../../shared.ts'
import { collector, contextOf, memoryCache } from './rig.ts'

const collect = collector('feeds.collect')
const now = '2026-11-30T12:00:00Z'

function feed(...items: { title: string; link: string; date?: string; text?: string }[]): string {
  const entries = items.map(
    ({ title, link, date, text = '' }) =>
      `<item><title>${title}</title><link>${link}</link><description>${text}</description>${date ? `<pubDate>${date}</pubDate>` : ''}</item>`,
  )
  return `<rss version="2.0"><channel><title>F</title><link>https://f.example/</link>${entries.join('')}</channel></rss>`
}

function worldOf(files: Record<string, string>) {
  return simWorld({ files, now })
}

const list = (...urls: string[]): string =>
  `sources:\n${urls.map((url, index) => `  - {name: S${index}, url: "${url}", category: media}\n`).join('')}`

test('feeds of every format and encoding in a folder are read, and all others are named', async () => {
  const world = { ...worldOf({}), disk: nodeDisk }
  const context = contextOf(world, { root: repoDir })
  const { items, sources, counts, notes } = await collect({ list: 'file:fixtures/feeds', max: 100 }, context)
  const titles = new Map(items.map(({ url, title }) => [url.replace('https://news.example.com/', ''), title]))
  const expected: [string, string][] = [
    ['gb18030', '中文编码测试：智能体𠀀'],
    ['gbk', '联通新闻'],
    ['big5', '繁體中文測試'],
    ['shift-jis', '日本語の見出し'],
    ['euc-kr', '한국어 제목'],
    ['windows-1251', 'Новости по-русски'],
    ['windows-1252', 'Prix : 5 € – déjà vu'],
    ['utf-16', 'Wide characters ✓'],
    ['bom', 'With a mark ✓'],
    ['blank', 'Blank lines before the declaration'],
    ['control', 'Bell and null inside'],
    ['entities', 'Café — fish & chips ’26 &nosuch;'],
    ['hidden', 'Report reversed bold'],
    ['q?a=1&copy=2&b=3', 'R&D and AT&T; again'],
    ['whole', 'Whole item'],
    ['bomb', 'Bomb &k; &file;'],
    ['https://blog.example.org/posts/1', 'Up one'],
    ['https://blog.example.org/posts/2', 'Edit link first'],
    ['https://blog.example.org/posts/3', 'Only an id'],
    ['https://json.example.org/1', 'One'],
    ['https://json.example.org/2', 'No title, but a text'],
    ['https://rdf.example.org/1', 'First'],
    ['https://rdf.example.org/2', 'Second has only its name'],
  ]
  for (const [url, title] of expected) assert.equal(titles.get(url), title, url)
  assert.equal(items.length, expected.length)
  const failed = sources.filter(({ state }) => state === 'failed')
  assert.deepEqual(
    failed.map(({ url, why }) => [url.replace('file:fixtures/feeds/', ''), why]),
    [
      ['broken.json', 'malformed JSON'],
      ['empty.xml', 'empty'],
      ['page.xml', 'an HTML page, not a feed'],
      ['settings.json', 'JSON, but not a JSON Feed'],
      ['subscriptions.xml', 'an OPML list of feeds, not a feed'],
    ],
  )
  assert.equal(counts['noLink'], 3)
  assert.ok(notes.some(note => note.includes('truncated.xml') && note.includes('last whole item')))
  assert.ok(notes.some(note => note.startsWith('1 files without a fitting ending')))
})

test('every evidence address is in its input as it was written', async () => {
  const context = contextOf({ ...worldOf({}), disk: nodeDisk }, { root: repoDir })
  const { items } = await collect({ list: 'file:fixtures/feeds/raw-ampersand.xml' }, context)
  const input = readFileSync(join(repoDir, 'fixtures/feeds/raw-ampersand.xml'), 'utf8')
  assert.deepEqual(
    items.map(({ url }) => input.includes(url)),
    [true],
  )
})

test('nothing gathered is never ready, and a source that fails does not stop the others', async () => {
  const world = worldOf({
    'l.yaml': list('file:none.xml', 'file:bad.xml', 'file:dir'),
    'bad.xml': '<rss',
    'dir/': '',
  })
  const none = await collect({ list: 'l.yaml' }, contextOf(world))
  assert.equal(none.ready, false)
  assert.deepEqual(
    none.sources.map(({ state }) => state),
    ['failed', 'failed', 'failed'],
  )
  assert.match(none.sources[2]!.why!, /directory/)
  const one = worldOf({
    'l.yaml': list('file:none.xml', 'file:a.xml'),
    'a.xml': feed({ title: 'A', link: 'https://a.example/' }),
  })
  const some = await collect({ list: 'l.yaml' }, contextOf(one))
  assert.deepEqual([some.ready, some.items.length, some.counts['failedSources']], [true, 1, 1])
})

test('a disk that fails on one file fails that source only', async () => {
  const files = {
    'l.yaml': list('file:a.xml', 'file:b.xml'),
    'a.xml': feed(),
    'b.xml': feed({ title: 'B', link: 'https://b.example/' }),
  }
  const world = worldOf(files)
  const context = contextOf({ ...world, disk: failingAt(world.disk, 'a.xml') })
  const { sources, ready } = await collect({ list: 'l.yaml' }, context)
  assert.deepEqual(
    [sources.map(({ state, why }) => why ?? state), ready],
    [['cannot be read (EIO)', 'ok'], true],
  )
})

test('one story in two feeds is one item that names both, and the first link stays', async () => {
  const world = worldOf({
    'l.yaml': list('file:a.xml', 'file:b.xml'),
    'a.xml': feed({ title: 'A', link: 'http://www.a.example/x/' }),
    'b.xml': feed({ title: 'B', link: 'https://a.example/x?utm_source=b' }),
  })
  const { items, counts } = await collect({ list: 'l.yaml' }, contextOf(world))
  assert.deepEqual(
    items.map(({ url, extra }) => [url, extra?.['canonical'], extra?.['alsoIn']]),
    [['http://www.a.example/x/', 'https://a.example/x', ['S1']]],
  )
  assert.equal(counts['duplicate'], 1)
})

test('the day limit counts from the list date, spares undated items, and leaves undated file lists alone', async () => {
  const text = feed(
    { title: 'New', link: 'https://a.example/1', date: 'Fri, 27 Nov 2026 00:00:00 GMT' },
    { title: 'Old', link: 'https://a.example/2', date: 'Wed, 25 Nov 2026 00:00:00 GMT' },
    { title: 'Undated', link: 'https://a.example/3' },
    { title: 'Future', link: 'https://a.example/4', date: 'Sun, 28 Nov 2027 00:00:00 GMT' },
  )
  const dated = worldOf({ 'l.yaml': `asOf: "2026-11-28"\n${list('file:a.xml')}`, 'a.xml': text })
  const { items, counts, notes } = await collect({ list: 'l.yaml', days: 2 }, contextOf(dated))
  assert.deepEqual(
    items.map(({ title }) => title),
    ['Future', 'New', 'Undated'],
  )
  assert.deepEqual(
    [items[0]!.published, items[0]!.extra?.['statedDate']],
    ['2026-11-28T23:59:59.999Z', '2027-11-28T00:00:00.000Z'],
  )
  assert.deepEqual([counts['old'], counts['future'], items[2]!.published], [1, 1, ''])
  assert.equal(notes[0], 'sample sources, as of 2026-11-28')
  const undated = await collect(
    { list: 'l.yaml', days: 2 },
    contextOf(worldOf({ 'l.yaml': list('file:a.xml'), 'a.xml': text })),
  )
  assert.equal(undated.items.length, 4)
})

test('interest leads, then time; one source cannot fill the list; the same input gives the same list', async () => {
  const many = Array.from({ length: 30 }, (_, index) => ({
    title: `Agent workflow ${index}`,
    link: `https://a.example/${index}`,
  }))
  const files = {
    'l.yaml': list('file:a.xml', 'file:b.xml'),
    'a.xml': feed(...many),
    'b.xml': feed(
      { title: 'Gardens', link: 'https://b.example/1' },
      { title: 'Newer gardens', link: 'https://b.example/2', date: 'Fri, 27 Nov 2026 00:00:00 GMT' },
    ),
  }
  const first = await collect({ list: 'l.yaml', max: 12 }, contextOf(worldOf(files)))
  assert.deepEqual(
    first.items.map(({ source }) => source),
    ['S0', 'S0', 'S0', 'S0', 'S1', 'S1'],
  )
  assert.deepEqual(
    first.items.slice(4).map(({ title }) => title),
    ['Newer gardens', 'Gardens'],
  )
  assert.equal(first.counts['overSource'], 26)
  const again = await collect({ list: 'l.yaml', max: 12, workers: 1 }, contextOf(worldOf(files)))
  assert.deepEqual(again, first)
})

test('what was pushed in the last seven days is left out, except of dated samples', async () => {
  const a = feed(
    { title: 'A', link: 'https://a.example/?utm_source=x' },
    { title: 'B', link: 'https://b.example/' },
  )
  const cache = memoryCache({
    'pushed.json':
      '{"https://a.example": "2026-11-29T00:00:00Z", "https://b.example": "2026-11-20T00:00:00Z"}',
  })
  const files = {
    'l.yaml': list('file:a.xml'),
    's.yaml': `asOf: "2026-11-28"\n${list('file:a.xml')}`,
    'a.xml': a,
  }
  const titles = async (named: string) =>
    (await collect({ list: named }, contextOf(worldOf(files), { cache }))).items.map(({ title }) => title)
  assert.deepEqual(await titles('l.yaml'), ['B'])
  assert.deepEqual(await titles('s.yaml'), ['A', 'B'])
})

test('a damaged list of pushed links is told and left as it is', async () => {
  const cache = memoryCache({ 'pushed.json': '{"https://a.exa' })
  const world = worldOf({
    'l.yaml': list('file:a.xml'),
    'a.xml': feed({ title: 'A', link: 'https://a.example/' }),
  })
  const { notes, items } = await collect({ list: 'l.yaml' }, contextOf(world, { cache }))
  assert.ok(notes.includes('the list of pushed links is damaged: not JSON'))
  assert.equal(items.length, 1)
  assert.deepEqual(cache.texts, { 'pushed.json': '{"https://a.exa' })
})

test('a live run reads the live list', async () => {
  const world = worldOf({
    'l.yaml': list('file:a.xml'),
    'live.yaml': list('https://live.example/feed'),
    'a.xml': '',
  })
  const { sources } = await collect({ list: 'l.yaml', live: 'live.yaml' }, contextOf(world, { live: true }))
  assert.deepEqual(
    sources.map(({ url, state, why }) => [url, state, why]),
    [['https://live.example/feed', 'failed', 'no network: https://live.example/feed']],
  )
})

test('a feed larger than the limit is refused by its size', async () => {
  const world = worldOf({
    'l.yaml': list('file:a.xml'),
    'a.xml': feed({ title: 'A', link: 'https://a.example/', text: 'x'.repeat(5000) }),
  })
  const { sources } = await collect({ list: 'l.yaml', maxBytes: 2048 }, contextOf(world))
  assert.match(sources[0]!.why!, /^larger than/)
})

test('the limit of bytes and a run that was stopped reach the network', async () => {
  const world = simWorld({
    files: { 'l.yaml': list('https://a.example/f') },
    now,
    http: () => new HttpError('too-large', 'too much', true),
  })
  const large = await collect({ list: 'l.yaml', maxBytes: 4 * 2 ** 20 }, contextOf(world))
  assert.equal(large.sources[0]!.why, 'larger than 4 MiB')
  assert.equal(world.http.requests[0]!.maxBytes, 4 * 2 ** 20)
  const stopped = await collect({ list: 'l.yaml' }, contextOf(world, { signal: AbortSignal.abort() }))
  assert.equal(stopped.sources[0]!.why, 'stopped')
})

/** The same disk, except that a file with this ending cannot be read. */
function failingAt(disk: Disk, ending: string): Disk {
  return new Proxy(disk, {
    get(target, key: keyof Disk) {
      if (key !== 'read') return target[key].bind(target)
      return (path: string) => {
        if (path.endsWith(ending)) throw new DiskError('EIO', 'read', path)
        return target.read(path)
      }
    },
  })
}
