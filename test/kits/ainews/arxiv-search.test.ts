import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScriptedAnswer } from '../../../src/sim/script-http.ts'
import { simWorld } from '../../../src/sim/sim-world.ts'
import { collector, contextOf } from './rig.ts'

const search = collector('arxiv.search')
const start = Date.UTC(2026, 10, 30, 12)

function answer(...ids: string[]): string {
  const entries = ids.map(
    id => `<entry><id>http://arxiv.org/abs/${id}</id><title>An LLM agent ${id}</title><summary>About ${id}</summary>
      <published>2026-11-28T05:00:00Z</published><link href="https://arxiv.org/abs/${id}" rel="alternate" type="text/html"/>
      <link href="https://arxiv.org/pdf/${id}" rel="related" type="application/pdf"/>
      ${['A', 'B', 'C', 'D', 'E', 'F'].map(name => `<author><name>${name}</name></author>`).join('')}
      <category term="cs.AI"/></entry>`,
  )
  return `<feed xmlns="http://www.w3.org/2005/Atom"><id>x</id><title>arXiv Query</title>${entries.join('')}</feed>`
}

/** Answers in turn, the last one for ever; `at` is when each was asked. */
function worldOf(...answers: ScriptedAnswer[]) {
  const at: number[] = []
  const world = simWorld({
    now: start,
    http: () => {
      at.push(world.clock.now() - start)
      return answers[Math.min(at.length, answers.length) - 1]!
    },
  })
  return { world, at }
}

test('the eleven queries are asked over https, one after another, three seconds apart', async () => {
  const { world, at } = worldOf({ body: answer('2611.00001v1') })
  const { items, sources, counts } = await search({}, contextOf(world))
  assert.deepEqual(
    at,
    Array.from({ length: 11 }, (_, index) => index * 3000),
  )
  assert.equal(sources.length, 11)
  assert.deepEqual([items.length, counts['duplicate']], [1, 10])
  const url = new URL(world.http.requests[0]!.url)
  assert.equal(url.origin + url.pathname, 'https://export.arxiv.org/api/query')
  assert.equal(
    url.searchParams.get('search_query'),
    'all:LLM agent AND (cat:cs.AI OR cat:cs.CL OR cat:cs.LG OR cat:cs.MA)',
  )
  assert.equal(url.searchParams.get('sortBy'), 'submittedDate')
})

test('a paper keeps its link, its version and five authors, and its versions are one paper', async () => {
  const { world } = worldOf(
    { body: answer('2611.00001v2', '2611.00002v1') },
    { body: answer('2611.00001v1') },
  )
  const { items } = await search({ queries: ['a', 'b'] }, contextOf(world))
  assert.deepEqual(
    items.map(({ url }) => url),
    ['https://arxiv.org/abs/2611.00001v2', 'https://arxiv.org/abs/2611.00002v1'],
  )
  assert.deepEqual(items[0]!.extra, {
    canonical: 'https://arxiv.org/abs/2611.00001',
    authors: ['A', 'B', 'C', 'D', 'E'],
    categories: ['cs.AI'],
    query: 'a',
    arxivId: '2611.00001v2',
  })
  assert.deepEqual(
    [items[0]!.category, items[0]!.source, items[0]!.published],
    ['papers', 'arXiv', '2026-11-28T05:00:00.000Z'],
  )
})

test('a short wish to wait is kept and the query asked again', async () => {
  const { world, at } = worldOf(
    { status: 503, headers: { 'retry-after': '10' } },
    { body: answer('2611.00001v1') },
  )
  const { sources } = await search({ queries: ['a'] }, contextOf(world))
  assert.deepEqual([at, sources[0]!.state], [[0, 10_000], 'ok'])
})

test('after a lasting refusal nothing more is asked, and every query says so', async () => {
  const { world, at } = worldOf(
    { body: answer('2611.00001v1') },
    { status: 429, headers: { 'retry-after': '3600' } },
  )
  const { sources, items, ready } = await search({ queries: ['a', 'b', 'c'] }, contextOf(world))
  assert.equal(at.length, 2)
  assert.deepEqual(
    sources.map(({ why }) => why),
    [
      undefined,
      'HTTP 429, asks to wait 3600 s',
      'not asked: an earlier call ended with HTTP 429, asks to wait 3600 s',
    ],
  )
  assert.deepEqual([items.length, ready], [1, true])
})

test('an error that arXiv writes as an entry, an HTML page and an empty answer are told apart', async () => {
  const problem = answer('x').replaceAll('https://arxiv.org/abs/x', 'https://arxiv.org/api/errors#incorrect')
  const { world } = worldOf({ body: problem }, { body: '<html></html>' }, { body: answer() }, { status: 500 })
  const { sources, ready } = await search({ queries: ['a', 'b', 'c', 'd'] }, contextOf(world))
  assert.deepEqual(
    sources.map(({ state, why }) => why ?? state),
    ['arXiv says: About x', 'an HTML page, not a feed', 'empty', 'HTTP 500'],
  )
  assert.equal(ready, false)
})

test('recorded answers are read from the list, except in a live run', async () => {
  const files = {
    'l.yaml': 'asOf: "2026-11-28"\nsources:\n  - {name: Sample, url: "file:a.atom", category: papers}\n',
    'a.atom': answer('2611.00001v1'),
  }
  const world = simWorld({ files, now: start, http: () => ({ body: answer() }) })
  const sample = await search({ list: 'l.yaml' }, contextOf(world))
  assert.deepEqual([sample.items[0]!.source, world.http.requests.length], ['Sample', 0])
  await search({ list: 'l.yaml', queries: ['a'] }, contextOf(world, { live: true }))
  assert.equal(world.http.requests.length, 1)
})
