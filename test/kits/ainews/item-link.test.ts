import assert from 'node:assert/strict'
import { test } from 'node:test'
import { webLink } from '../../../src/kits/ainews/item-link.ts'

test('an address stays as it was written unless Markdown would read another link into it', () => {
  const cases: [string, string][] = [
    ['https://x.test/a_(b)?q=[1]', 'https://x.test/a_(b)?q=[1]'],
    ['https://x.test/a)[b](https://evil.test/c', 'https://x.test/a%29%5Bb%5D%28https://evil.test/c'],
    [String.raw`https://x.test/a\_b`, 'https://x.test/a/_b'],
  ]
  for (const [written, expected] of cases) assert.equal(webLink(written, []), expected)
})
