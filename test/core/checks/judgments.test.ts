import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problems } from './gathered.ts'

const sure = (text: string): string[] => problems({ confidence: { flagBelow: 60 } }, text)
const countered = (text: string): string[] => problems({ counterArgument: true }, text)
const apart = (text: string): string[] => problems({ factsAndJudgments: true }, text)

test('a judgment without a number, or a low one without the words, is told', () => {
  const wrong: [text: string, why: RegExp][] = [
    ['- Judgment: oil leads', /without a confidence number; .*: "- Judgment: oil leads"$/],
    ['## Judgments\n- Oil leads; confidence high', /without a confidence number/],
    ['## 判断\n- 油价领先', /without a confidence number/],
    ['- Buy A at 10, stop-loss 9', /without a confidence number/],
    ['## Views\n- Hold A; confidence 55', /under 60 without the words "low confidence"/],
    ['观点：持有A，置信度55%', /under 60/],
    ['## Views\n- Hold A; confidence 0.4', /under 60/],
    ['## Views\n- Hold A; confidence 5/10', /under 60/],
    ['## Views\n- Hold A; confidence 700', /above 100/],
    ['| name | view | confidence |\n|---|---|---|\n| A | hold | |', /without a confidence number/],
    ['| name | view | confidence |\n|---|---|---|\n| A | hold | 40 |', /under 60/],
    ['## Judgments\n### Oil leads\nIt does.\n### Gold falls\nConfidence: 70', /has 1 judgments without/],
    ['## Judgments\nOil leads.', /without a confidence number/],
  ]
  for (const [text, why] of wrong) {
    const found = sure(text)
    assert.equal(found.length, 1, `${text}: ${found.join(' | ')}`)
    assert.match(found[0]!, why)
  }
})

test('numbers in every usual form pass, and low ones with the words', () => {
  for (const text of [
    '- Judgment: oil leads (confidence 70)',
    '## Views\n- Hold A; confidence 55, low confidence, watch and wait',
    '## Views\n- Hold A; low confidence (55)\n- Hold B; confidence: 0.7\n- Hold C; confidence 7/10\n- Hold D; 65% confidence',
    '观点：持有A，置信度55%，低置信，观望',
    '## Judgments\n- Oil leads.\n- Confidence: 70\n- Against it: supply',
    '## Judgments\n### Oil leads\nIt does.\n\n**Confidence**: 70',
    '## Judgments\nNo judgment: no data',
    '## Views\nnone',
    '## 观点\n- 无',
    '## Facts\n- Oil rose 3 %',
    '| name | view | confidence |\n|---|---|---|\n| A | hold | 80 |\n| B | - | |',
    '## Judgments\nNothing was gathered for this section.\n\n---\n\nSources that could not be read: a (b).',
  ])
    assert.deepEqual(sure(text), [], text)
})

test('a judgment needs a counter-argument that says something', () => {
  for (const text of [
    '- Judgment: oil leads; confidence 70',
    '## Judgments\n- Oil leads; against it: none',
    '## Judgments\n- A; against it: supply may return\n- B',
    '判断：油价领先。反方：无',
    '| judgment | against it |\n|---|---|\n| oil leads | |',
  ])
    assert.equal(countered(text).length, 1, text)
  for (const text of [
    '- Judgment: oil leads; against it: supply may return',
    '## Judgments\n- Oil leads\n  Counter-argument: stocks are high',
    '## Judgments\n- Oil leads\n- Against it: stocks are high',
    '判断：油价领先。反方观点：库存处于高位',
    '| judgment | against it |\n|---|---|\n| oil leads | stocks are high |',
    '## Judgments\nNo judgment: no data',
    '## Facts\n- Oil rose',
  ])
    assert.deepEqual(countered(text), [], text)
})

test('facts and judgments stand apart, and facts do not judge', () => {
  const wrong: [text: string, why: RegExp][] = [
    ['Oil rose. It will likely rise again.', /does not tell facts from judgments/],
    ['## Facts\n- Oil rose', /put judgments under/],
    ['## Judgments\n- Oil leads', /put facts under/],
    [
      '## Facts\n- Oil is likely to rise\n## Judgments\n- Oil leads',
      /judge under facts: "- Oil is likely to rise"/,
    ],
    ['## 事实\n- 油价有望上涨\n## 判断\n- 油价领先', /judge under facts/],
    ['## 事实\n- 数据显示大概率上涨\n## 判断\n- 油价领先', /judge under facts/],
    ['Fact: we expect more\n\nJudgment: oil leads', /judge under facts/],
    ['Fact: oil rose\n\nJudgment: oil leads\n\nGold looks overbought', /judge without the tag/],
  ]
  for (const [text, why] of wrong) {
    const found = apart(text)
    assert.equal(found.length, 1, `${text}: ${found.join(' | ')}`)
    assert.match(found[0]!, why)
  }
  for (const text of [
    '## Facts\n- Oil rose 3 %\n## Judgments\n- Oil should lead',
    '## Facts\n- The bank said that cuts are likely (S, 2026-11-28)\n## Views\nnone',
    '## 事实\n- 央行表示降准可能会推迟\n## 判断\n- 利好债券',
    '- Fact: oil rose\n- Judgment: oil is likely to lead',
    '【事实】油价上涨\n\n【判断】油价有望领先',
    '## Facts\n- He wrote “gold is attractive”\n## Judgments\nNo judgment: no data',
  ])
    assert.deepEqual(apart(text), [], text)
})

test('looking for the words anywhere, the broken twin, takes one counter-argument for all', () => {
  const text = '## Judgments\n- A; against it: supply may return\n- B'
  assert.ok(/against it/.test(text))
  assert.equal(countered(text).length, 1)
})

test('an argument of another shape is refused', () => {
  for (const argument of [true, 60, { flagBelow: '60' }, { flagBelow: 101 }, { flagBelow: 60, of: 1 }])
    assert.match(problems({ confidence: argument }, 'x')[0] ?? '', /needs \{flagBelow/)
})
