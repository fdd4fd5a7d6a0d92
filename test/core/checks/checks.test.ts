import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalUrl } from '../../../src/core/canonical-url.ts'
import {
  checkNames,
  checkProblems,
  checkSpecProblems,
  runChecks,
} from '../../../src/core/checks/run-checks.ts'
import { itemsOf } from '../../../src/core/checks/items-of.ts'
import { linksOf } from '../../../src/core/checks/links-of.ts'
import type { Evidence } from '../../../src/core/evidence.ts'

function item(id: number, more: Partial<Evidence> = {}): Evidence {
  return {
    id: `e${id}`,
    url: `https://news.test/a/${id}`,
    title: `Title ${id}`,
    summary: '',
    source: `S${id % 3}`,
    category: 'media',
    published: '',
    fetchedAt: '',
    hash: '',
    score: 0,
    stars: 3,
    ...more,
  }
}

const evidence = [
  item(1, { summary: 'Raised $1,234 million; 45.6% up; GPT-5.4; 3,214 stars; fell -3.2% today' }),
  item(2),
  item(3),
  item(4, { extra: { todayStars: 87 } }),
  item(5),
  item(6),
]

function problems(spec: Record<string, unknown>, text: string): string[] {
  return checkProblems(spec, text, { evidence, canonical: canonicalUrl }).map(({ why }) => why)
}

const good = `# Digest 2026-11-30

## 1. 🔥 Top

- [Title 1](https://news.test/a/1) raised 1,234 million, 45.6% up
- [Title 2](http://www.news.test/a/2/?utm_source=x)
  more about it
  - nested point

## Papers (2)

1. [Title 3][three] ★4
2. Title 4, 87 stars today: <https://news.test/a/4>

| no | title |
|---|---|
| 1 | [Title 5](https://news.test/a/5) |
| 2 | https://news.test/a/6 |

\`\`\`
- no item
| a | b |
\`\`\`

[three]: https://news.test/a/3
`

test('a text that keeps its contract has no problem', () => {
  const spec = {
    notEmpty: true,
    minItems: 6,
    everyItemLinks: true,
    linksFromEvidence: true,
    sections: ['Top', 'papers'],
    numbersFromEvidence: true,
    maxShare: { of: 'source', percent: 40 },
    maxLength: 2000,
    minLength: 10,
    noPlaceholders: true,
  }
  assert.deepEqual(problems(spec, good), [])
  assert.equal(itemsOf(good).length, 6)
})

test('each check sees its own fault and no other', () => {
  const faults: [string, unknown, string, RegExp][] = [
    ['minItems', 7, good, /has 6 items; at least 7/],
    [
      'everyItemLinks',
      true,
      good.replace('[Title 1](https://news.test/a/1)', 'Title 1'),
      /1 items have no link: "- Title 1/,
    ],
    ['linksFromEvidence', true, good.replace('a/2/', 'a/22/'), /https?:\/\/www\.news\.test\/a\/22/],
    ['sections', ['Top', 'Rewrite points'], good, /no section "Rewrite points"/],
    ['sections', ['Top'], '## Top\n\n## Papers\ntext', /"Top" is empty/],
    ['numbersFromEvidence', true, good.replace('45.6%', '54.6%'), /54\.6/],
    ['maxLength', 20, good, /at most 20/],
    ['minLength', 2000, good, /at least 2000/],
    ['noPlaceholders', true, `${good}\n- TODO`, /TODO/],
    ['notEmpty', true, '# Heading\n\n---\n', /says nothing/],
  ]
  for (const [name, argument, text, expected] of faults) {
    const found = problems({ [name]: argument }, text)
    assert.equal(found.length, 1, `${name}: ${found.join(' | ')}`)
    assert.match(found[0] ?? '', expected)
  }
})

test('every way of writing a link is seen', () => {
  const texts: [string, string[]][] = [
    ['[a](https://x.test/1 "t")', ['https://x.test/1']],
    ['[a](<https://x.test/a b>)', ['https://x.test/a b']],
    ['[a](https://x.test/p_(q))', ['https://x.test/p_(q)']],
    ['![i](https://x.test/i.png)', ['https://x.test/i.png']],
    ['[a [b]](https://x.test/n)', ['https://x.test/n']],
    ['<https://x.test/2>', ['https://x.test/2']],
    ['see https://x.test/3, and (https://x.test/4).', ['https://x.test/3', 'https://x.test/4']],
    ['见 https://x.test/5，更多', ['https://x.test/5']],
    ['（https://x.test/6）。', ['https://x.test/6']],
    ['[a][r]\n\n[r]: https://x.test/7', ['https://x.test/7', 'https://x.test/7']],
    ['[r][]\n\n[R]: <https://x.test/8>', ['https://x.test/8', 'https://x.test/8']],
    ['<a href="https://x.test/9">a</a>', ['https://x.test/9']],
    ['www.x.test/10', ['https://www.x.test/10']],
    ['`https://x.test/11`', ['https://x.test/11']],
    ['[https://x.test/12](https://y.test/12)', ['https://y.test/12', 'https://x.test/12']],
    ['[a](//x.test/13)', ['https://x.test/13']],
    ['[a](javascript:alert(1))', ['javascript:alert(1)']],
    ['[a](notes.md) [b](#top)', []],
    ['**https://x.test/14**', ['https://x.test/14']],
    ['[a](<https://x.test/a)[b](https://x.test/b>)', ['https://x.test/a)[b](https://x.test/b']],
    ['[^1]: Note: https://x.test/15', ['https://x.test/15']],
    ['[P0]: Fix: it', []],
  ]
  for (const [text, expected] of texts) {
    const found = linksOf(text).map(({ url }) => url)
    assert.deepEqual([...new Set(found)].sort(), [...new Set(expected)].sort(), text)
  }
})

test('a link from nowhere is reported however it is hidden', () => {
  const hidden = [
    '[a](https://evil.test/x)',
    '<https://evil.test/x>',
    'https://evil.test/x',
    '[a][r]\n\n[r]: https://evil.test/x',
    '```\nhttps://evil.test/x\n```',
    '[a](javascript:x)',
    '[https://news.test/a/1](https://evil.test/x)',
    '<img src="https://evil.test/x">',
    '[a](//evil.test/x)',
    'www.evil.test',
    String.raw`[a](https\://evil.test/x)`,
    '[a](&#104;ttps://evil.test/x)',
    '[a](https&colon;//evil.test/x)',
    String.raw`[a](/\/evil.test/x)`,
    '<a href=//evil.test/x>a</a>',
    '<a href="&#104;ttps://evil.test/x">a</a>',
    '[a]\n\n[a]: mailto:x@evil.test',
    String.raw`> [a]: https\://evil.test/x`,
    '<obsidian://evil>',
  ]
  for (const text of hidden) assert.equal(problems({ linksFromEvidence: true }, text).length, 1, text)
})

test('a text that repeats itself without end is checked all the same', () => {
  const spec = {
    notEmpty: true,
    minItems: 1,
    everyItemLinks: true,
    linksFromEvidence: true,
    sections: ['Top'],
    numbersFromEvidence: true,
    noPlaceholders: true,
    maxShare: { of: 'source', percent: 40 },
  }
  const table = `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(10_000)}`
  const texts = ['[', '[a](', '\n', '# a\n', '<!--', '](x', '# [', '|a\n'].map(part => part.repeat(40_000))
  const started = performance.now()
  for (const text of [
    ...texts,
    table,
    `- a\n${'\n'.repeat(50_000)}  x`,
    `https://x.test/${')'.repeat(50_000)}`,
  ])
    problems(spec, text)
  // Quadratic time would take minutes.
  assert.ok(performance.now() - started < 20_000)
})

test('numbers are compared by value, and what needs no source is free', () => {
  const fine = [
    '1234 million',
    '1.234 billion',
    '$1.23B',
    '45.6 %',
    'GPT-5.4',
    '3214 stars',
    '3.2k stars',
    '87',
    '1. first',
    '## 2. Part',
    '#3',
    'Top 10',
    '2026-11-30',
    '30 November 2026',
    'Nov 30',
    '11月30日',
    '08:30',
    'in 2025',
    '★4',
    '4/5',
    '⭐ 4',
    '6 items',
    'fell 3.2%',
    '-3.2%',
    '4.5 星',
    '| 3 | x |',
    '[x](https://news.test/a/999)',
    '１２３４ million',
    '٨٧ stars',
    '1,234',
    '2026-11-30T08:00:00Z',
  ]
  for (const text of fine) assert.deepEqual(problems({ numbersFromEvidence: true }, text), [], text)
  const foreign = [
    '1235 million',
    '46%',
    'GPT-5.5',
    '3.3k stars',
    '88 points',
    '+3.2%',
    '1.24B',
    '2,026 stars',
    '12 papers',
    '3000',
    '7 companies',
    'v9',
    '1,234 billion',
    '45.6 million',
    '٤٧٪',
  ]
  for (const text of foreign) assert.equal(problems({ numbersFromEvidence: true }, text).length, 1, text)
})

test('the first number of a range has the unit of the second', () => {
  const range = [item(1, { summary: 'between 2 and 3.5 million users' })]
  const found = (text: string) =>
    checkProblems({ numbersFromEvidence: true }, text, { evidence: range, canonical: canonicalUrl }).length
  for (const text of ['2 million', '2', '3.5 million', '2M']) assert.equal(found(text), 0, text)
  for (const text of ['2 billion', '3.5 thousand']) assert.equal(found(text), 1, text)
})

test('share limits count items by where their link comes from', () => {
  const text = [1, 4, 2, 3].map(id => `- [t](https://news.test/a/${id})`).join('\n')
  assert.deepEqual(problems({ maxShare: { of: 'source', percent: 50 } }, text), [])
  assert.match(problems({ maxShare: { of: 'source', percent: 40 } }, text)[0] ?? '', /S1 2 of 4/)
  assert.deepEqual(problems({ maxShare: { of: 'source', label: 'S2', percent: 40 } }, text), [])
  assert.equal(
    problems(
      {
        maxShare: [
          { of: 'category', label: 'Media', percent: 40 },
          { of: 'source', percent: 40 },
        ],
      },
      text,
    ).length,
    2,
  )
})

test('headings are found whatever is around their words', () => {
  const headings = [
    '## Top',
    '# TOP',
    '### 1. Top',
    '## 🔥 Top',
    '## **Top**',
    '## 一、Top',
    'Top\n===',
    '**Top**',
    '## Top (10)',
    '## Top: today',
    '## Ｔｏｐ',
    '## Top ##',
    '## 2) 📰 Top — news',
  ]
  for (const heading of headings)
    assert.deepEqual(problems({ sections: ['top'] }, `${heading}\n\ntext`), [], heading)
  for (const heading of ['## Topic', '## Stop', 'Top', '```\n## Top\n```', '## On top'])
    assert.equal(problems({ sections: ['Top'] }, `${heading}\n\ntext`).length, 1, heading)
  assert.deepEqual(problems({ sections: ['重点'] }, '## 二、重点：三条\n内容'), [])
})

test('links may be asked of some sections only', () => {
  const text = '## Top\n- [a](https://news.test/a/1)\n\n## Rewrite points\n- an idea'
  assert.equal(problems({ everyItemLinks: true }, text).length, 1)
  assert.deepEqual(problems({ everyItemLinks: { only: ['Top'] } }, text), [])
  assert.deepEqual(problems({ everyItemLinks: { except: ['rewrite points'] } }, text), [])
})

test('placeholders are told from facts', () => {
  for (const text of [
    'TBD',
    '[insert title]',
    '{{title}}',
    '{date}',
    '[a](#)',
    '[a](url)',
    'https://example.com/news',
    'lorem ipsum',
    '待补充',
    'XXX',
  ])
    assert.equal(problems({ noPlaceholders: true }, text).length, 1, text)
  for (const text of [
    '[Title 1](https://news.test/a/1)',
    'a {key: value} map',
    'to do',
    '[x] done',
    'Sources',
    '<b>bold</b>',
  ])
    assert.deepEqual(problems({ noPlaceholders: true }, text), [], text)
})

test('a misspelt check or a wrong argument is a problem and never a pass', () => {
  assert.match(checkSpecProblems({ minItem: 3 })[0]?.why ?? '', /did you mean minItems\?.*known are notEmpty/)
  assert.equal(problems({ minItem: 3 }, good).length, 1)
  for (const [name, argument] of [
    ['minItems', '18'],
    ['sections', 'Top'],
    ['maxShare', { of: 'author', percent: 3 }],
    ['everyItemLinks', 'yes'],
    ['maxLength', -1],
  ] as const) {
    assert.equal(problems({ [name]: argument }, good).length, 1, name)
  }
  assert.deepEqual(problems({ minItems: false, sections: null }, ''), [])
  assert.equal(checkNames.length, 10)
})

test('names of the run are filled in, and each line names its check', () => {
  const lines = runChecks({ sections: ['Digest {date}'] }, 'x', {
    evidence,
    canonical: canonicalUrl,
    names: { date: '2026-11-30' },
  })
  assert.match(lines[0] ?? '', /"Digest 2026-11-30".*\(sections\)$/)
})

test('counting lines that begin with a dash, the broken twin, counts what is no item', () => {
  const text = '---\n```\n- a\n```\n- real\n  - nested\n'
  const twin = text.split('\n').filter(line => line.trim().startsWith('-')).length
  assert.equal(twin, 4)
  assert.equal(itemsOf(text).length, 1)
})
