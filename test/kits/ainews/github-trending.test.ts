import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simWorld } from '../../../src/sim/sim-world.ts'
import { readTrendingPage } from '../../../src/kits/ainews/trending-page.ts'
import { collector, contextOf } from './rig.ts'

const trending = collector('github.trending')

function row(name: string, period: string, description = 'An LLM agent &amp; more'): string {
  return `<article class="Box-row"><a href="/login?x=1">Star</a>
    <h2 class="h3"><a data-x="{&quot;a&quot;:1}" href="/${name}"><span>${name.split('/')[0]} /</span> ${name.split('/')[1]}</a></h2>
    <p class="col-9 my-1">\n ${description}\n</p><span itemprop="programmingLanguage">Rust</span>
    <a href="/${name}/stargazers"><svg aria-label="star"></svg> 12,480 </a><a href="/${name}/forks"><svg></svg> 1.2k</a>
    <span><svg></svg>\n ${period}\n</span></article>`
}

const periods: [text: string, stars: number | undefined][] = [
  ['1,582 stars today', 1582],
  ['1.582 stars this week', 1582],
  ['12 345 stars this month', 12345],
  ['12&nbsp;345 stars this month', 12345],
  ['1 star today', 1],
  ['1.6k stars this month', 1600],
  ['Built by', undefined],
]

test('stars of the day, week and month are read with every kind of separator', () => {
  for (const [text, stars] of periods) {
    const page = readTrendingPage(row('a-b/c.d', text))
    assert.ok(page.kind === 'rows')
    assert.deepEqual(page.rows, [
      {
        name: 'a-b/c.d',
        url: 'https://github.com/a-b/c.d',
        description: 'An LLM agent & more',
        language: 'Rust',
        stars: 12480,
        forks: 1200,
        periodStars: stars,
      },
    ])
  }
})

test('the table catches a pattern that knows days only', () => {
  assert.ok(periods.some(([text, stars]) => daysOnly(text) !== stars))
})

test('changed markup is a failure, a page that says it is empty is not', async () => {
  const bodies = [
    '<main><div class="new-row">a/b</div></main>',
    '<p>It looks like we don’t have any trending repositories for Brain.</p>',
    '  ',
    row('a/b', '2 stars today'),
  ]
  const world = simWorld({ http: () => ({ body: bodies.shift()! }) })
  const { sources, items, ready } = await trending({ languages: ['', 'Brain', 'c', 'd'] }, contextOf(world))
  assert.deepEqual(
    sources.map(({ state, why }) => why ?? state),
    ['layout not recognised', 'empty', 'an empty page', 'ok'],
  )
  assert.deepEqual([items.length, ready], [1, true])
  const changed = await trending({}, contextOf(simWorld({ http: () => ({ body: '<main>new</main>' }) })))
  assert.equal(changed.ready, false)
})

test('languages and period are in the address, one repository is one item, and the limit holds', async () => {
  const body =
    row('a/b', '9 stars this week') +
    row('c/html-email', '5 stars this week', 'Templates for email') +
    row('e/f', '3 stars this week')
  const world = simWorld({ http: () => ({ body }) })
  const { items, counts } = await trending(
    { languages: ['', 'C++'], since: 'weekly', aiOnly: true, limit: 5 },
    contextOf(world),
  )
  assert.deepEqual(
    world.http.requests.map(({ url }) => url),
    ['https://github.com/trending?since=weekly', 'https://github.com/trending/c%2B%2B?since=weekly'],
  )
  assert.deepEqual(
    items.map(({ title, extra }) => [title, extra?.['periodStars'], extra?.['period']]),
    [
      ['a/b', 9, 'weekly'],
      ['e/f', 3, 'weekly'],
    ],
  )
  assert.equal(counts['raw'], 6)
})

function daysOnly(text: string): number | undefined {
  const match = /([\d,]+) stars today/.exec(text)
  return match ? Number(match[1]!.replaceAll(',', '')) : undefined
}
