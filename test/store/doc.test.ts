import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClawError } from '../../src/core/claw-error.ts'
import { parseDoc, printDoc } from '../../src/store/doc.ts'

const job = `---
# when
schedule: "30 8 * * *"   # daily
date: 2026-01-02
title: 'a --- b'
text: |
  one
  ---
  two
---
# Prompt

---
body
`

test('a document has frontmatter, body and places in the whole file', async () => {
  const doc = await parseDoc('job.md', job)
  assert.deepEqual(doc.value, {
    schedule: '30 8 * * *',
    date: '2026-01-02',
    title: 'a --- b',
    text: 'one\n---\ntwo\n',
  })
  assert.equal(doc.body, '# Prompt\n\n---\nbody\n')
  assert.deepEqual(doc.locate(['date']), { line: 4, column: 1 })
  assert.deepEqual([doc.hasFrontmatter, doc.eol, doc.bom], [true, '\n', false])
})

test('a BOM and CRLF read like LF and are kept on write', async () => {
  const windows = `\ufeff${job.replaceAll('\n', '\r\n')}`
  const doc = await parseDoc('job.md', windows)
  const plain = await parseDoc('job.md', job)
  assert.deepEqual([doc.value, doc.body], [plain.value, plain.body])
  assert.deepEqual([doc.eol, doc.bom], ['\r\n', true])
  assert.deepEqual(doc.locate(['date']), { line: 4, column: 1 })
  assert.equal(await printDoc(doc, {}), windows)
  const expected = windows.replace('2026-01-02', '2026-01-03').replace('# Prompt', '# New')
  assert.equal(
    await printDoc(doc, { value: { date: '2026-01-03' }, body: doc.body.replace('Prompt', 'New') }),
    expected,
  )
})

const plain: [string, string][] = [
  ['no dashes', '# Title\ntext\n'],
  ['an empty file', ''],
  ['a rule of Markdown first', '---\nJust a rule above.\n'],
  ['four dashes', '----\na: 1\n----\n'],
  ['dashes later', 'x\n---\na: 1\n---\n'],
]
for (const [name, text] of plain) {
  test(`${name} is no frontmatter`, async () => {
    const doc = await parseDoc('n.md', text)
    assert.deepEqual([doc.hasFrontmatter, doc.value, doc.body], [false, {}, text])
  })
}

test('an empty frontmatter is one', async () => {
  for (const text of ['---\n---\nx\n', '---\n# only a comment\n---\nx\n']) {
    const doc = await parseDoc('n.md', text)
    assert.deepEqual([doc.hasFrontmatter, doc.value, doc.body], [true, {}, 'x\n'])
  }
})

const invalid: Record<string, { text: string; code: 'config-invalid' | 'conflict'; message: RegExp }> = {
  'broken YAML': { text: '---\na: 1\nb: [\n---\nx\n', code: 'config-invalid', message: /^n\.md:[34]:\d+: / },
  'a repeated key': { text: '---\na: 1\na: 2\n---\n', code: 'config-invalid', message: /^n\.md:3:1: / },
  'a list as frontmatter': {
    text: '---\n- a\n---\n',
    code: 'config-invalid',
    message: /^n\.md:2:1: .*mapping/,
  },
  'a missing closer': { text: '---\ntools: [read]\nbody\n', code: 'config-invalid', message: /never closed/ },
  'script frontmatter': {
    text: '---js\nmodule.exports = {}\n---\n',
    code: 'config-invalid',
    message: /not as js/,
  },
  'conflict markers': {
    text: 'a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n',
    code: 'conflict',
    message: /^n\.md:2: /,
  },
  'conflict markers with CRLF': {
    text: '<<<<<<< HEAD\r\nb\r\n=======\r\nc\r\n>>>>>>> x\r\n',
    code: 'conflict',
    message: /^n\.md:1: /,
  },
}
for (const [name, { text, code, message }] of Object.entries(invalid)) {
  test(`${name} is refused with its place`, () =>
    assert.rejects(parseDoc('n.md', text), error => isClawError(error, code) && message.test(error.message)))
}

test('code in frontmatter is never run', async () => {
  for (const language of ['js', 'javascript', 'coffee', 'cson', 'JS', 'json', 'toml']) {
    const text = `---${language}\n{ "a": (globalThis.ran = true) }\n---\n`
    await assert.rejects(parseDoc('n.md', text), error => isClawError(error, 'config-invalid'))
  }
  assert.equal('ran' in globalThis, false)
})

test('markers in a fenced block or a heading are no conflict', async () => {
  const text = 'Title\n=======\n```\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> x\n```\n'
  assert.equal((await parseDoc('n.md', text)).body, text)
})

test('reading twice gives two values: changing one leaves the other', async () => {
  const first = await parseDoc('n.md', job)
  first.value['schedule'] = 'changed'
  assert.equal((await parseDoc('n.md', job)).value['schedule'], '30 8 * * *')
})

test('a change keeps unknown keys, comments and layout', async () => {
  const doc = await parseDoc('job.md', job)
  assert.equal(
    await printDoc(doc, { value: { schedule: '0 9 * * *', tz: 'Asia/Shanghai', title: undefined } }),
    job
      .replace('30 8 * * *', '0 9 * * *')
      .replace("title: 'a --- b'\n", '')
      .replace('  two\n---', '  two\ntz: Asia/Shanghai\n---')
      .replace('"0 9 * * *"', '0 9 * * *'),
  )
  assert.equal(await printDoc(doc, { value: { date: '2026-01-02' } }), job)
})

test('a document without frontmatter gets one', async () => {
  const doc = await parseDoc('n.md', 'text\r\n')
  assert.equal(await printDoc(doc, { value: { a: 1 } }), '---\r\na: 1\r\n---\r\ntext\r\n')
})
