import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simWorld } from '../../../src/sim/sim-world.ts'
import { storiesOfPage } from '../../../src/kits/ainews/hn-story.ts'
import { collector, contextOf } from './rig.ts'

const top = collector('hn.top')
const story = (id: number, more: Record<string, unknown> = {}) => ({
  id,
  type: 'story',
  title: `Story ${id}`,
  url: `https://s.example/${id}`,
  score: 100,
  time: 1_795_000_000,
  ...more,
})

/** The API of these items; one that is not there answers 500. */
function apiOf(items: Record<string, unknown>[], onRequest: (url: string) => void = () => {}) {
  const ids = [...items.map(item => item['id']), 999]
  return simWorld({
    now: '2026-11-30T12:00:00Z',
    http: ({ url }) => {
      onRequest(url)
      if (url.endsWith('/topstories.json')) return { body: JSON.stringify(ids) }
      const item = items.find(({ id }) => url.endsWith(`/item/${String(id)}.json`))
      return item ? { body: JSON.stringify(item) } : { status: 500 }
    },
  })
}

test('living stories with enough points are kept, by their own link or else by the discussion', async () => {
  const items = [
    story(1),
    story(2, { url: undefined, text: 'Ask <p>me' }),
    story(3, { url: 'javascript:alert(1)' }),
    story(4, { type: 'job' }),
    story(5, { dead: true }),
    story(6, { deleted: true }),
    story(7, { score: 3 }),
    story(8, { title: undefined }),
  ]
  const { items: kept, sources, notes } = await top({ minPoints: 20 }, contextOf(apiOf(items)))
  assert.deepEqual(kept.map(({ url }) => url).sort(), [
    'https://news.ycombinator.com/item?id=2',
    'https://news.ycombinator.com/item?id=3',
    'https://s.example/1',
  ])
  assert.deepEqual([sources.length, sources[0]!.state], [1, 'ok'])
  assert.deepEqual(notes, ['Hacker News: 1 of 9 items could not be read'])
  assert.equal(kept.find(({ url }) => url.endsWith('=2'))!.summary, 'Ask me')
})

test('items are asked for a few at a time, and no more than are needed', async () => {
  let open = 0
  let most = 0
  const world = apiOf(Array.from({ length: 200 }, (_, index) => story(index + 1)))
  const http = {
    request: async (request: Parameters<typeof world.http.request>[0]) => {
      most = Math.max(most, ++open)
      await new Promise(resolve => setImmediate(resolve))
      open--
      return world.http.request(request)
    },
  }
  const { items } = await top({ limit: 10, workers: 3 }, contextOf({ ...world, http }))
  assert.deepEqual([items.length, most], [10, 3])
  assert.ok(world.http.requests.length <= 21)
})

test('a list that is none, and a list of which no item can be read, are failures', async () => {
  const none = await top({}, contextOf(simWorld({ http: () => ({ body: '{"error": 1}' }) })))
  assert.deepEqual([none.sources[0]!.why, none.ready], ['not a list of stories', false])
  const lost = await top({}, contextOf(apiOf([])))
  assert.deepEqual([lost.sources[0]!.why, lost.ready], ['none of 1 items could be read', false])
})

test('saved pages, old and new, and saved items are read; changed markup is a failure', async () => {
  const modern = `<tr class='athing submission' id='41'><td class="title"><span class="titleline"><a href="https://s.example/41?a=1&amp;b=2">A &amp; B</a></span></td></tr>
    <tr><td class="subtext"><span class="score" id="score_41">1,234 points</span> <span class="age" title="2026-11-28T10:00:00 1795860000"><a>2 hours ago</a></span> <a href="item?id=41">56&nbsp;comments</a></td></tr>
    <tr class='athing' id='42'><td class="title"><span class="titleline"><a href="item?id=42">A company is hiring</a></span></td></tr><tr><td class="subtext"><span class="age"></span></td></tr>`
  const old = `<td class="title"><a href="item?id=43">Ask: why</a></td></tr><tr><td class="subtext"><span id="score_43">7 points</span> by x | <a href="item?id=43">5 comments</a></td>`
  assert.deepEqual(storiesOfPage(modern), [
    {
      id: 41,
      title: 'A & B',
      link: 'https://s.example/41?a=1&b=2',
      discussion: 'https://news.ycombinator.com/item?id=41',
      text: '',
      points: 1234,
      comments: 56,
      published: Date.UTC(2026, 10, 28, 10),
    },
  ])
  assert.deepEqual(
    storiesOfPage(old).map(({ link, points, comments }) => [link, points, comments]),
    [['https://news.ycombinator.com/item?id=43', 7, 5]],
  )
  const files = {
    'hn/a.html': modern,
    'hn/b.html': '<main></main>',
    'hn/c.json': JSON.stringify([story(1), story(2, { type: 'comment' })]),
    'hn/d.json': '[1]',
    'hn/e.json': '{',
  }
  const { sources, items } = await top({ list: 'file:hn' }, contextOf(simWorld({ files })))
  assert.deepEqual(
    sources.map(({ items, why }) => why ?? items),
    [1, 'layout not recognised', 1, 'not a story or a list of stories', 'malformed JSON'],
  )
  assert.equal(items.length, 2)
})
