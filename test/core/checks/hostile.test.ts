import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkNames } from '../../../src/core/checks/run-checks.ts'
import { problems } from './gathered.ts'

const spec: Record<string, unknown> = {
  notEmpty: true,
  minItems: 1,
  everyItemLinks: true,
  linksFromEvidence: true,
  sections: ['Top'],
  numbersFromEvidence: true,
  noPlaceholders: true,
  maxShare: { of: 'source', percent: 40 },
  maxLength: 10,
  maxLineLength: 10,
  minLength: 10,
  stopLoss: true,
  confidence: { flagBelow: 60 },
  factorSources: true,
  factsAndJudgments: true,
  counterArgument: true,
}

/** Milliseconds that all checks of `spec` need. */
function timeOf(text: string, only: Record<string, unknown> = spec): number {
  const started = performance.now()
  problems(only, text)
  return performance.now() - started
}

test('every check is tried on hostile texts', () => {
  assert.deepEqual(Object.keys(spec).sort(), [...checkNames].sort())
})

test('a text that repeats itself without end is checked all the same', () => {
  const table = `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(10_000)}`
  const repeated = ['[', '[a](', '\n', '# a\n', '<!--', '](x', '# [', '|a\n'].map(part => part.repeat(40_000))
  const deep = [`- a\n${'\n'.repeat(50_000)}  x`, `https://x.test/${')'.repeat(50_000)}`]
  const needed = [...repeated, table, ...deep].reduce((sum, text) => sum + timeOf(text), 0)
  // Quadratic time would take minutes.
  assert.ok(needed < 20_000, `${needed} ms`)
})

const discipline = Object.fromEntries(
  ['stopLoss', 'confidence', 'factorSources', 'factsAndJudgments', 'counterArgument'].map(name => [
    name,
    spec[name],
  ]),
)

/** Of one megabyte each: what makes a careless pattern start over at every character. */
const megabyte = 2 ** 20
const parts = [
  ' ',
  '"',
  '“',
  '「',
  '"a ',
  'buy ',
  'long ',
  'do not ',
  'stop-loss ',
  '买入',
  '止损',
  '9',
  '不',
  'confidence ',
  '置信度',
  'against it ',
  'source: ',
  '(a, ',
  '|',
  '| a ',
  '|-',
  '#',
  '# ',
  '**',
  '> ',
  '- ',
  'no ',
  'https://x.test/',
  '.',
  '。',
]

test('a line of a megabyte takes seconds at most, whatever it repeats', () => {
  const lineOf = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length))
  for (const part of parts) {
    const short = lineOf(part, megabyte / 16)
    const texts = [
      `## Judgments\n- Judgment: ${lineOf(part, megabyte)}x`,
      `# ${short}x`,
      `${short}x|`,
      `Factor: ${short}`,
    ]
    for (const text of texts) {
      const neededMs = timeOf(text, discipline)
      assert.ok(neededMs < 5000, `${neededMs} ms for ${JSON.stringify(part)}, ${text.slice(0, 12)}`)
    }
  }
})

test('many short lines take no more', () => {
  const lines = [
    '- buy\n',
    '  - buy\n',
    '# a\n',
    '## Judgments\n### a\nb\n',
    'Against it:\n\n',
    '|a|\n|-|\n|buy|\n',
    '> a\n',
    '"\n',
  ]
  for (const line of lines) {
    const neededMs = timeOf(
      `## Judgments\n### x\n${line.repeat(Math.ceil(megabyte / 8 / line.length))}`,
      discipline,
    )
    assert.ok(neededMs < 10_000, `${neededMs} ms for ${JSON.stringify(line)}`)
  }
})

test('twice the length takes less than four times as long', () => {
  const text = (times: number): string =>
    '- Judgment: buy at 9, "quoted" confidence 50 against it: nothing\n'.repeat(times)
  timeOf(text(1000), discipline)
  const once = timeOf(text(8000), discipline)
  const twice = timeOf(text(16_000), discipline)
  assert.ok(twice < once * 4 + 50, `${once} ms, then ${twice} ms`)
})

test('a pattern that starts over at every character, the broken twin, needs far more', () => {
  const careless = /^\s*\|?\s*:?-+/
  const blanks = `${' '.repeat(30_000)}x|`
  const started = performance.now()
  careless.test(blanks)
  const carelessMs = performance.now() - started
  assert.ok(carelessMs > timeOf(blanks, discipline), `${carelessMs} ms`)
})
