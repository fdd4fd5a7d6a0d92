import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalUrl } from '../../../src/core/canonical-url.ts'
import { itemsOf } from '../../../src/core/checks/items-of.ts'
import { checkNames, checkSpecProblems, runChecks } from '../../../src/core/checks/run-checks.ts'
import { evidence, good, problems } from './gathered.ts'

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
    ['maxLineLength', 50, `short\n${'x'.repeat(51)}`, /has 1 lines of more than 50 characters: "x+"/],
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
  assert.equal(checkNames.length, 16)
})

test('names of the run are filled in, and each line names its check', () => {
  const lines = runChecks({ sections: ['Digest {date}'] }, 'x', {
    evidence,
    canonical: canonicalUrl,
    names: { date: '2026-11-30' },
  })
  assert.match(lines[0] ?? '', /"Digest 2026-11-30".*\(sections\)$/)
})
