import assert from 'node:assert/strict'
import { test } from 'node:test'
import { itemsOf } from '../../../src/core/checks/items-of.ts'
import { problems } from './gathered.ts'

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

test('counting lines that begin with a dash, the broken twin, counts what is no item', () => {
  const text = '---\n```\n- a\n```\n- real\n  - nested\n'
  const twin = text.split('\n').filter(line => line.trim().startsWith('-')).length
  assert.equal(twin, 4)
  assert.equal(itemsOf(text).length, 1)
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
