import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tidyXml } from '../../src/core/mend-xml.ts'

test('a sign that starts no tag is text; comments, CDATA and tags stay as they are', () => {
  const cases: [string, string][] = [
    ['<t>a < b & c</t>', '<t>a &lt; b &amp; c</t>'],
    ['<t>I <3 it</t>', '<t>I &lt;3 it</t>'],
    ['<t><br/><a href="x>y">z</a></t>', '<t><br/><a href="x>y">z</a></t>'],
    ['<t><!-- <i>a</i> --><![CDATA[a < b & c]]></t>', '<t><!-- <i>a</i> --><![CDATA[a < b & c]]></t>'],
    ['<t>cut <off', '<t>cut &lt;off'],
  ]
  for (const [text, expected] of cases) assert.equal(tidyXml(text), expected)
})

test('no sign of many is left for a reader to look for its end', () => {
  for (const part of ['<', '<a ', '<a "'])
    assert.doesNotMatch(tidyXml(`<t>${part.repeat(100_000)}'</t>`).slice(3, -4), /</)
})
