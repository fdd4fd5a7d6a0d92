import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arxivId, canonicalUrl } from '../../src/core/canonical-url.ts'

/** Each row is one page under several addresses. */
const same: string[][] = [
  [
    'https://example.com/a',
    'http://example.com/a',
    'https://www.example.com/a/',
    'HTTPS://EXAMPLE.com:443/a#top',
  ],
  [
    'https://example.com/a?id=7',
    'https://example.com/a?utm_source=x&id=7&fbclid=1',
    'http://example.com:80/a?id=7&ref=hn',
  ],
  ['https://example.com/', 'http://example.com', 'https://example.com/?spm=1.2', 'https://example.com./'],
  ['https://example.com/%7Euser', 'https://example.com/~user'],
  ['https://example.com/a%2fb', 'https://example.com/a%2Fb'],
  [
    'https://arxiv.org/abs/2611.01234',
    'http://arxiv.org/abs/2611.01234v2',
    'https://export.arxiv.org/pdf/2611.01234v3.pdf',
    'https://www.arxiv.org/html/2611.01234v1#S2',
    'https://doi.org/10.48550/arXiv.2611.01234',
  ],
  ['https://arxiv.org/abs/math.GT/0309136', 'https://arxiv.org/pdf/math.GT/0309136v1'],
]

const different: [string, string][] = [
  ['https://example.com/a', 'https://example.com/A'],
  ['https://example.com/?id=1', 'https://example.com/?id=2'],
  ['https://example.com/a?b=1&c=2', 'https://example.com/a?c=2&b=1'],
  ['https://example.com:8080/a', 'https://example.com/a'],
  ['https://app.example.com/#!/one', 'https://app.example.com/#!/two'],
  ['https://arxiv.org/abs/2611.01234', 'https://arxiv.org/abs/2611.01235'],
  ['https://example.com/reference', 'https://example.com/'],
  ['https://example.com/?reference=1', 'https://example.com/'],
]

function wrongOf(key: (url: string) => string | undefined): string[] {
  const split = same.flatMap(([first, ...others]) => others.filter(other => key(other) !== key(first!)))
  const joined = different.filter(([a, b]) => key(a) === key(b)).map(([a]) => a)
  return [...split, ...joined]
}

test('addresses of one page have one key, those of two pages have two', () => {
  assert.deepEqual(wrongOf(canonicalUrl), [])
})

test('the table catches keys that see too little or too much', () => {
  assert.notDeepEqual(
    wrongOf(url => url),
    [],
  )
  assert.notDeepEqual(
    wrongOf(url => new URL(url).host),
    [],
  )
})

test('a key is its own key', () => {
  const url = fc.webUrl({ withQueryParameters: true, withFragments: true })
  fc.assert(fc.property(url, one => canonicalUrl(canonicalUrl(one)!) === canonicalUrl(one)))
})

test('what is no web address has no key', () => {
  for (const text of [
    '',
    'a/b',
    'javascript:alert(1)',
    'ftp://example.com/',
    'mailto:a@example.com',
    'https://',
  ]) {
    assert.equal(canonicalUrl(text), undefined, text)
  }
})

test('an arXiv number is found without its version', () => {
  assert.equal(arxivId('https://arxiv.org/pdf/2611.01234v3'), '2611.01234')
  assert.equal(arxivId('https://arxiv.org/list/cs.AI/recent'), undefined)
  assert.equal(arxivId('https://example.com/abs/2611.01234'), undefined)
})
