import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutPoints, plainText } from '../../src/core/plain-text.ts'

const rows: [markup: string, text: string][] = [
  ['<p>One</p><p>Two</p>', 'One Two'],
  ['in<b>ter</b>nal<br/>line', 'internal line'],
  ['1 &lt; 2 &amp;amp; 3', '1 < 2 &amp; 3'],
  ['a < b and c > d', 'a < b and c > d'],
  ['Caf&eacute;&nbsp;&#x2014;&#8217;&#146;', 'Café —’’'],
  ['&unknown; &constructor; &#0; &#xD800; &#99999999;', '&unknown; &constructor; � � �'],
  ['<!-- hidden --> shown <script>bad()</script><style>p{}</style>', 'shown'],
  ['<!-- never closed <p>text</p>', 'never closed text'],
  ['zero\u200bwidth \u202eright\u202c to \u2066left\u2069\ufeff', 'zerowidth right to left'],
  ['tag \u{e0049}\u{e0067} characters\u{e0101}', 'tag characters'],
  ['bell\u0007 null\u0000 escape\u001b[31m', 'bell null escape[31m'],
  ['family 👨‍👩‍👧 stays, a\u200db does not', 'family 👨‍👩‍👧 stays, ab does not'],
  ['half \ud83d pair', 'half � pair'],
  [' \t\n\u3000many\u00a0\u2028blanks ', 'many blanks'],
]

test('markup becomes one line of what a reader sees', () => {
  for (const [markup, text] of rows) assert.equal(plainText(markup, 300), text)
})

test('a cut falls between code points and is marked', () => {
  assert.equal(cutPoints('𠀀𠀁𠀂', 3), '𠀀𠀁𠀂')
  assert.equal(cutPoints('𠀀𠀁𠀂𠀃', 3), '𠀀𠀁…')
  assert.equal(plainText('word '.repeat(1000), 10), 'word word…')
  assert.ok(Array.from(plainText('长'.repeat(5000), 300)).length === 300)
})

test('markup made to be slow is read quickly all the same', () => {
  for (const piece of ['<!--', '<a', '<script', '&', '-->', '<!-- -->', '\u200d', ' ']) {
    assert.ok(plainText(piece.repeat(100_000), 300).length <= 600)
  }
})
