import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Evidence } from '../../src/core/evidence.ts'
import { runChecks } from '../../src/core/checks/run-checks.ts'
import { composeExtract, type ExtractMaterial } from '../../src/core/extract.ts'
import { inMarkdown, linkTo, sentenceOf } from '../../src/core/extract-text.ts'

function item(n: number, more: Partial<Evidence> = {}): Evidence {
  return {
    id: `e${n}`,
    url: `https://news.example/${n}`,
    title: `Story ${n}`,
    summary: `Sentence ${n} says it. A second one follows.`,
    source: 'Example Wire',
    category: 'media',
    published: '2026-03-01T08:00:00Z',
    fetchedAt: '2026-03-02T00:00:00Z',
    hash: '',
    score: n,
    stars: 3,
    ...more,
  }
}

function material(more: Partial<ExtractMaterial> = {}): ExtractMaterial {
  return {
    evidence: Array.from({ length: 30 }, (_, n) => item(n + 1, n % 3 === 0 ? { category: 'papers' } : {})),
    sources: [],
    notes: [],
    sections: ['Top', 'Papers', 'Rewrite points'],
    minItems: 18,
    title: 'Morning digest',
    dateLine: '2026-03-02, Monday',
    ...more,
  }
}

function section(report: string, name: string): string[] {
  const [, rest = ''] = report.split(`## ${name}\n`)
  return (rest.split('\n## ')[0] ?? '').split('\n').filter(line => line.startsWith('- '))
}

test('the sections are those of the contract, with papers in theirs and the best first', () => {
  const report = composeExtract(material())
  assert.deepEqual(report.match(/^## .*$/gm), ['## Top', '## Papers', '## Rewrite points'])
  const [first] = section(report, 'Top')
  assert.equal(
    first,
    '- ★★★☆☆ [Story 30](https://news.example/30) (Example Wire, 2026-03-01): Sentence 30 says it.',
  )
  assert.equal(section(report, 'Papers').length, 10)
  assert.equal(section(report, 'Rewrite points').length, 3)
  const items = [...section(report, 'Top'), ...section(report, 'Papers')]
  assert.ok(items.length >= 18)
  assert.equal(new Set(items).size, items.length, 'no item stands twice')
})

test('it says that no model was used, and names each source that failed', () => {
  const sources = [
    {
      name: '36 Degrees',
      url: 'https://a.example',
      state: 'failed' as const,
      items: 0,
      why: 'HTTP 503 after 30000 ms',
    },
    { name: 'Fine', url: 'https://b.example', state: 'ok' as const, items: 3 },
  ]
  const report = composeExtract(
    material({ sources, notes: ['Sample sources as of 2026-02-28, 7 of 9 read'] }),
  )
  assert.match(report, /No model was used/)
  assert.match(report, /could not be read: 36 Degrees \(HTTP 503 after 30000 ms\)\./)
  assert.match(report, /Sample sources as of 2026-02-28, 7 of 9 read|Sample sources as of 2026-02-28/)
  assert.ok(!report.includes('Fine ('))
})

test('every link is one of the evidence and every number is in the evidence', () => {
  const words = fc.string({
    unit: fc.constantFrom(
      'a',
      'B',
      ' ',
      '.',
      '7',
      '3',
      ',',
      '(',
      ')',
      '[',
      ']',
      '字',
      '🦞',
      '\n',
      '<',
      '|',
      '`',
    ),
    maxLength: 400,
  })
  const any = fc.record({
    title: words,
    summary: words,
    url: fc.constantFrom('', 'https://a.example/x', 'https://a.example/p(1)'),
    score: fc.nat(9),
  })
  fc.assert(
    fc.property(fc.array(any, { minLength: 1, maxLength: 25 }), drafts => {
      const given = material({ evidence: drafts.map((draft, n) => item(n, draft)), dateLine: '' })
      const report = composeExtract(given)
      const held = new Set(
        given.evidence.flatMap(
          one => `${one.title} ${one.summary} ${one.url} ${one.published}`.match(/\d+(?:[.,]\d+)*/g) ?? [],
        ),
      )
      for (const number of report.match(/\d+(?:[.,]\d+)*/g) ?? []) assert.ok(held.has(number), number)
      for (const [, url = ''] of report.matchAll(/\]\(<?(https:[^\s>]*?)>?\)(?= \(|:|$)/gm)) {
        assert.ok(
          given.evidence.some(one => one.url === url),
          url,
        )
      }
    }),
  )
})

test('a section for which nothing was gathered says so, and one by words finds its items', () => {
  const report = composeExtract(
    material({
      sections: ['Top', 'Robotics', 'Story'],
      evidence: [item(1), item(2, { title: 'Robotics in March' })],
    }),
  )
  assert.match(report, /## Robotics\n\n- ★★★☆☆ \[Robotics in March\]/)
  assert.match(
    composeExtract(material({ sections: ['Top', 'Weather'] })),
    /## Weather\n\nNothing was gathered for this section\./,
  )
})

test('without evidence it is no report: it says what to configure', () => {
  const report = composeExtract(material({ evidence: [], sections: [] }))
  assert.match(report, /No model was used/)
  assert.match(report, /This is no answer/)
  assert.match(report, /claw models test/)
  assert.ok(!report.includes('##'))
})

test('the same evidence gives the same report in whatever order it came', () => {
  const given = material()
  assert.equal(composeExtract({ ...given, evidence: [...given.evidence].reverse() }), composeExtract(given))
})

test('a first sentence ends at its end, not at a decimal, and is never cut inside a number', () => {
  const table: [string, string][] = [
    ['Up 3.5 points today. More later.', 'Up 3.5 points today.'],
    ['来源可靠。第二句。', '来源可靠。'],
    ['One? Two.', 'One?'],
    ['no end at all', 'no end at all'],
    ['', ''],
  ]
  for (const [text, sentence] of table) assert.equal(sentenceOf(text), sentence)
  const long = `${'字'.repeat(236)}123,456,789 ${'字'.repeat(50)}`
  assert.ok(!/\d/.test(sentenceOf(long).replace('123,456,789', '')))
})

test('gathered text works as text only', () => {
  assert.equal(inMarkdown('a [b](c) <i>\n# x `y` | z'), 'a \\[b\\](c) \\<i\\> # x \\`y\\` \\| z')
  assert.equal(inMarkdown('# head'), '\\# head')
  assert.equal(linkTo('a]b', 'https://a.example/(x) y'), '[a\\]b](<https://a.example/(x)%20y>)')
})

test('the report keeps the contract that the digest job asks of a model', () => {
  const given = material({ notes: ['sample sources, as of 2026-02-28'] })
  const contract = {
    minItems: 18,
    everyItemLinks: true,
    linksFromEvidence: true,
    numbersFromEvidence: true,
    noPlaceholders: true,
    sections: given.sections,
  }
  const context = { evidence: given.evidence, canonical: (url: string) => url }
  assert.deepEqual(runChecks(contract, composeExtract(given), context), [])
  const inOrder = { ...context, evidence: given.evidence.slice(0, 5) }
  assert.notDeepEqual(runChecks(contract, composeExtract(given), inOrder), [], 'other evidence is noticed')
})
