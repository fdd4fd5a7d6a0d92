import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linksOf } from '../../../src/core/checks/links-of.ts'
import { problems } from './gathered.ts'

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

test('links may be asked of some sections only', () => {
  const text = '## Top\n- [a](https://news.test/a/1)\n\n## Rewrite points\n- an idea'
  assert.equal(problems({ everyItemLinks: true }, text).length, 1)
  assert.deepEqual(problems({ everyItemLinks: { only: ['Top'] } }, text), [])
  assert.deepEqual(problems({ everyItemLinks: { except: ['rewrite points'] } }, text), [])
})
