import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Out } from '../../src/cli/out.ts'
import { MemTerminal } from '../../src/sim/mem-terminal.ts'

test('JSON holds nothing that a terminal obeys or that another reader refuses', () => {
  const terminal = new MemTerminal()
  const text = 'a\u001B[31m \u009B2J \u202Eb \uD800 中文 👩‍👧'
  new Out(terminal, { json: true, quiet: false }).result({ text }, '')
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(terminal.outText, /[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]|\\ud800/i)
  assert.deepEqual(JSON.parse(terminal.outText), { text: text.replace('\uD800', '\uFFFD') })
})
