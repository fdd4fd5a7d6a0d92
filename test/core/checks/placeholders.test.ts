import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problems } from './gathered.ts'

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
