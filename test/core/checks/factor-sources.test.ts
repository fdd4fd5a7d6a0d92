import assert from 'node:assert/strict'
import { test } from 'node:test'
import { item, problems } from './gathered.ts'

const cited = (text: string): string[] => problems({ factorSources: true }, text)

test('a factor without a source, or without a time, is told', () => {
  const wrong: [text: string, why: RegExp][] = [
    ['## Factors\n- DXY: 104.2 (2026-11-28)', /without a source: "- DXY: 104\.2/],
    ['## Factors\n- DXY: 104.2 (Sample Bank)', /without/],
    ['## Factors\n- DXY: 104.2, source: Sample Bank', /without a time/],
    ['## 因子\n- 美元指数：104.2，来源：央行', /without a time/],
    ['Factor: oil up (2026-11-28)', /without a source/],
    [
      '| factor | value | source | time |\n|---|---|---|---|\n| DXY | 104.2 | | 2026-11-28 |',
      /without a source/,
    ],
    [
      '| factor | value | source | time |\n|---|---|---|---|\n| DXY | 104.2 | Sample Bank | |',
      /without a time/,
    ],
    ['## Factors\n- US10Y: no data, but 4.2 %; source: S', /without a time/],
    ['## Factors\nOil is up.', /without a source/],
    ['## Factors\n- DXY: source: unknown, 2026-11-28', /without a source/],
  ]
  for (const [text, why] of wrong) assert.match(cited(text).join('\n'), why, text)
})

test('sources and times in every usual form pass; no data needs neither', () => {
  for (const text of [
    '## Factors\n- DXY: 104.2 (Sample Bank, 2026-11-28 16:00)',
    '## Factors\n- oil: up ([title](https://news.test/a/1), Nov 28)',
    '## Factors\n- DXY: 104.2\n  source: Sample Bank; as of 2026-11-28',
    '## Factors\n- DXY: 104.2\n- Source: Sample Bank, 16:00',
    '## 宏观因子\n- 美元指数：104.2（央行，11月28日）',
    '## Factor pack\n- oil: from shared-context/intel/us_market_close.json, 28 Nov',
    '| factor | value | source | time |\n|---|---|---|---|\n| DXY | 104.2 | Sample Bank | 16:00 |',
    '## Factors\n- US10Y: no data',
    '## Factors\n- US10Y：无数据',
    '## Factors\nNothing was gathered for this section.',
    '## Other\n- DXY: 104.2',
  ])
    assert.deepEqual(cited(text), [], text)
})

test('what was gathered without a date need not have one', () => {
  const text = '## Factors\n- oil: up [title](https://news.test/a/8)'
  assert.deepEqual(problems({ factorSources: true }, text, [item(8)]), [])
  assert.equal(
    problems({ factorSources: true }, text, [item(8, { published: '2026-11-28T00:00:00Z' })]).length,
    1,
  )
})

test('one source for the whole section, the broken twin, is not enough', () => {
  const text = '## Factors\n- DXY: 104.2 (Sample Bank, 2026-11-28)\n- oil: up'
  assert.ok(/Sample Bank/.test(text))
  assert.match(cited(text)[0] ?? '', /has 1 factors without a source: "- oil: up"/)
})
