import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalUrl } from '../../../src/core/canonical-url.ts'
import { checkProblems } from '../../../src/core/checks/run-checks.ts'
import { item, problems } from './gathered.ts'

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
