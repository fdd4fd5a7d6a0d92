import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeBytes } from '../../src/core/text-encoding.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text, 'utf8')
const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1')
const gbk = Buffer.from([0x3c, 0x61, 0x3e, 0xd6, 0xd0, 0xce, 0xc4])

const rows: [what: string, input: Uint8Array, contentType: string, text: string][] = [
  ['UTF-8 without a word', bytes('<a>é'), '', '<a>é'],
  ['a mark, which is not text', bytes('\ufeff<a>é'), 'text/xml; charset=iso-8859-1', '<a>é'],
  ['UTF-16 with a mark', Buffer.from('\ufeff<a>é', 'utf16le'), '', '<a>é'],
  ['UTF-16 without a mark', Buffer.from('<a>é', 'utf16le'), '', '<a>é'],
  ['UTF-16, the other way round', Buffer.from('\ufeff<a>é', 'utf16le').swap16(), '', '<a>é'],
  ['the charset of the answer', gbk, 'text/xml; charset="gb2312"', '<a>中文'],
  [
    'a wrong charset, passed over for a right declaration',
    Buffer.concat([latin('<?xml encoding="gbk"?>'), gbk]),
    'text/xml; charset=utf-8',
    '<?xml encoding="gbk"?><a>中文',
  ],
  ['Latin-1 said of UTF-8', bytes('<a>é'), 'text/xml; charset=iso-8859-1', '<a>é'],
  [
    'windows-1252 called Latin-1',
    Buffer.from([0x80, 0x20, 0x96, 0x20, 0xe9]),
    'text/html; charset=ISO-8859-1',
    '€ – é',
  ],
  ['an unknown charset', bytes('<a>é'), 'text/xml; charset=klingon', '<a>é'],
  [
    'a declaration of UTF-16 that was read as bytes',
    bytes('<?xml encoding="utf-16"?>é'),
    '',
    '<?xml encoding="utf-16"?>é',
  ],
  ['no bytes', new Uint8Array(), '', ''],
]

test('the encoding that fits is found', () => {
  for (const [what, input, contentType, text] of rows) {
    assert.deepEqual({ what, text: decodeBytes(input, contentType).text }, { what, text })
  }
})

test('a guess says that it is one', () => {
  assert.deepEqual(decodeBytes(latin('<a>\xe9')), { text: '<a>é', encoding: 'windows-1252', isGuess: true })
  assert.equal(decodeBytes(bytes('<a>é')).isGuess, false)
})
