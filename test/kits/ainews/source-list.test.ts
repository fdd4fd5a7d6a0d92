import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClawError } from '../../../src/core/claw-error.ts'
import { simWorld } from '../../../src/sim/sim-world.ts'
import { loadSourceList } from '../../../src/kits/ainews/load-list.ts'
import { localPath } from '../../../src/kits/ainews/local-source.ts'
import { collector, contextOf } from './rig.ts'

const load = (text: string) => loadSourceList('l.yaml', contextOf(simWorld({ files: { 'l.yaml': text } })))

const refused: [text: string, message: RegExp][] = [
  ['sources:\n  - {name: A, ulr: "https://a.example/"}', /^l\.yaml:2: unknown key `ulr`.*`url`/],
  [
    'sources:\n  - name: A\n    url: https://a.example/\n    catgory: media',
    /^l\.yaml:4: unknown key `catgory`.*`category`/,
  ],
  ['source: []', /^l\.yaml:1: unknown key `source`.*`sources`/],
  [
    'sources:\n  - {name: A, url: "https://a.example/"}\n  - {name: B, url: "www.b.example"}',
    /^l\.yaml:3: `url` must start with/,
  ],
  ['sources:\n  - {name: A, url: "javascript:alert(1)"}', /^l\.yaml:2: `url` must start with/],
  ['asOf: soon\nsources: []', /^l\.yaml:1: `asOf` must be a date/],
  ['sources:\n  - {url: "https://a.example/"}', /^l\.yaml:2: .*name/],
  ['sources: [', /^l\.yaml:\d+: /],
  ['', /^l\.yaml:1: /],
]

test('a wrong list is refused with file, line and what was meant', async () => {
  for (const [text, message] of refused) {
    await assert.rejects(
      load(text),
      error => isClawError(error, 'config-invalid') && message.test(error.message),
      text,
    )
  }
})

test('a list keeps its dates as text, and a byte order mark or CRLF does not matter', async () => {
  const list = await load(
    '\ufeffasOf: 2026-11-28\r\nsources:\r\n  - {name: A, url: "https://a.example/", enabled: false, reason: gone}\r\n',
  )
  assert.deepEqual(list, {
    asOf: '2026-11-28',
    sources: [{ name: 'A', url: 'https://a.example/', category: 'other', enabled: false, reason: 'gone' }],
  })
})

test('wrong options are refused before anything is read', async () => {
  const world = simWorld({ files: { 'off.yaml': 'sources:\n  - {name: A, url: "file:a", enabled: false}' } })
  const cases: [collector: string, options: Record<string, unknown>, message: RegExp][] = [
    ['feeds.collect', { list: 'l.yaml', dyas: 2 }, /feeds\.collect: unknown key `dyas`.*`days`/],
    ['feeds.collect', {}, /feeds\.collect: `list`/],
    ['feeds.collect', { list: 'l.yaml', max: 0 }, /`max`/],
    ['feeds.collect', { list: 'none.yaml' }, /none\.yaml: there is no such list/],
    ['feeds.collect', { list: 'off.yaml' }, /off\.yaml: no enabled source/],
    ['github.trending', { since: 'weakly' }, /did you mean weekly/],
    ['arxiv.search', { queries: 'agents' }, /`queries` must be a list/],
    ['hn.top', { limit: 1000 }, /`limit`/],
  ]
  for (const [name, options, message] of cases) {
    await assert.rejects(
      collector(name)(options, contextOf(world)),
      error => isClawError(error) && message.test(error.message),
    )
  }
  assert.deepEqual(world.http.requests, [])
})

test('a file address is absolute or relative to the workspace', () => {
  const rows: [string, string | undefined][] = [
    ['file:sources/a.xml', '/ws/sources/a.xml'],
    ['file:./a.xml', '/ws/a.xml'],
    ['file:/data/a.xml', '/data/a.xml'],
    ['file:///data/a%20b.xml', '/data/a b.xml'],
    ['file://sources/a.xml', '/ws/sources/a.xml'],
    ['https://a.example/', undefined],
  ]
  for (const [url, path] of rows) assert.equal(localPath(url, '/ws'), path, url)
})
