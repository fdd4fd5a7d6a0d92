import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClawError } from '../../src/core/claw-error.ts'
import { editYaml, parseYaml } from '../../src/store/yaml.ts'

test('dates, times and words stay text', async () => {
  const { value } = await parseYaml('f', 'a: 2026-01-02\nb: no\nc: 12:30\nd: on\ne: 012\nf: null\ng: 1.5\n')
  assert.deepEqual(value, { a: '2026-01-02', b: 'no', c: '12:30', d: 'on', e: 12, f: null, g: 1.5 })
})

test('an older YAML version asked for in the text changes nothing', async () => {
  assert.deepEqual((await parseYaml('f', '%YAML 1.1\n---\na: no\nb: 2026-01-02\n')).value, {
    a: 'no',
    b: '2026-01-02',
  })
})

test('a BOM and CRLF make no difference, an empty text is null', async () => {
  assert.deepEqual((await parseYaml('f', '\ufeffa: 1\r\nb: 2\r\n')).value, { a: 1, b: 2 })
  assert.equal((await parseYaml('f', '')).value, null)
})

const bomb = `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefgh'
  .split('')
  .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join(', ')}]`)
  .join('\n')}\n`

const invalid: Record<string, { text: string; message: RegExp }> = {
  'a repeated key': { text: 'a: 1\nb: 2\na: 3\n', message: /^claw\.yaml:3:1: this key is there twice/ },
  'an open list': { text: 'a: [1,\nb: 2', message: /^claw\.yaml:\d+:\d+: / },
  'a tab as indent': { text: 'a:\n\tb: 1\n', message: /^claw\.yaml:2:\d+: / },
  'an alias bomb': { text: bomb, message: /^claw\.yaml:1:1: .*alias/i },
  'an unknown alias': { text: 'a: *x\n', message: /^claw\.yaml:1:\d+: / },
  'two documents': { text: 'a: 1\n---\nb: 2\n', message: /^claw\.yaml:\d+:\d+: / },
  'an unquoted colon in a value': {
    text: 'description: does this: and that\n',
    message: /^claw\.yaml:1:14: /,
  },
}
for (const [name, { text, message }] of Object.entries(invalid)) {
  test(`${name} is refused with file, line and column`, () =>
    assert.rejects(parseYaml('claw.yaml', text), error => {
      assert.ok(isClawError(error, 'config-invalid') && error.exitCode === 2)
      assert.match(error.message, message)
      assert.ok(!error.message.includes('\n'))
      return true
    }))
}

test('a key is located by its own place, a missing one by its parent', async () => {
  const { locate } = await parseYaml('f', 'a: 1\nb:\n  c: [x, {d: 2}]\n  e: &e {f: 3}\ng: *e\n')
  assert.deepEqual(locate(['b', 'c']), { line: 3, column: 3 })
  assert.deepEqual(locate(['b', 'c', 1, 'd']), { line: 3, column: 11 })
  assert.deepEqual(locate(['b', 'missing']), { line: 2, column: 1 })
  assert.deepEqual(locate(['g', 'f']), { line: 4, column: 10 })
  assert.deepEqual(locate([]), { line: 1, column: 1 })
})

const base = `# top\na: 1 # one\nb:\n  c: [1,   2]   # kept as it is\n  # inner\n  d: |\n    text\n\n# before e\ne: "q"\nl:\n  - a   # first\n# end\n`

const edits: [string, (string | number)[], unknown, string][] = [
  ['a scalar keeps its comment', ['a'], 2, base.replace('a: 1', 'a: 2')],
  ['a quoted text', ['e'], 'x: y', base.replace('e: "q"', 'e: "x: y"')],
  ['a nested key', ['b', 'c'], 5, base.replace('[1,   2]', '5')],
  ['a nested block text', ['b', 'd'], 'short', base.replace('d: |\n    text', 'd: short')],
  [
    'a mapping in place of a scalar',
    ['a'],
    { x: [1, { y: 2 }] },
    base.replace('a: 1', 'a:\n  x:\n    - 1\n    - y: 2'),
  ],
  ['a list in place of a list', ['l'], ['b'], base.replace('- a   # first', '- b')],
  ['a new key goes to the end', ['new'], '2026-01-02', `${base}new: 2026-01-02\n`],
  ['a removed key takes its line', ['a'], undefined, base.replace('a: 1 # one\n', '')],
  ['a removed mapping takes its lines', ['b'], undefined, base.replace(/b:\n[^]*text\n/, '')],
  ['removing what is not there changes nothing', ['zz'], undefined, base],
]
for (const [name, path, value, expected] of edits) {
  test(`an edit changes only its lines: ${name}`, async () => {
    assert.equal(await editYaml(base, path, value), expected)
  })
}

test('where an edit cannot keep the layout it keeps the comments and the meaning', async () => {
  const edited = await editYaml(base, ['l', 1], 'b')
  assert.ok(
    ['# top', '# one', '# inner', '# before e', '# first', '# end'].every(comment =>
      edited.includes(comment),
    ),
  )
  assert.deepEqual(((await parseYaml('f', edited)).value as { l: unknown }).l, ['a', 'b'])
  const flow = await editYaml('a: {b: 1, c: 2} # x\n', ['a', 'b'], 'x, y')
  assert.deepEqual((await parseYaml('f', flow)).value, { a: { b: 'x, y', c: 2 } })
})

test('an empty text gets its first key', async () => {
  assert.equal(await editYaml('', ['a', 'b'], 1), 'a:\n  b: 1\n')
  assert.equal(await editYaml('# only a comment\n', ['a'], 1), '# only a comment\na: 1\n')
})
