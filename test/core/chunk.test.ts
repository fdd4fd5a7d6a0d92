import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chunkMessage } from '../../src/core/chunk.ts'

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })

/** What a person sees, without blanks and without what cutting may add. */
function visible(text: string): string[] {
  return [...segmenter.segment(text.replace(/\r\n?/g, '\n'))]
    .map(part => part.segment)
    .filter(part => !/^[\s\u200B]+$/.test(part))
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  for (const one of whole) if (at < part.length && part[at] === one) at += 1
  return at === part.length
}

/** Written anew, so that it does not share a mistake with what it checks. */
function hasOpenFence(chunk: string): boolean {
  let marker = ''
  for (const line of chunk.split('\n')) {
    const bare = line.replace(/^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,4}[.)][ \t]))*[ \t]*/, '')
    const found = /^(`{3,}|~{3,})(.*)$/.exec(bare)
    if (!found) continue
    const [, run = '', rest = ''] = found
    if (marker === '') {
      if (!(run.startsWith('`') && rest.includes('`'))) marker = run
    } else if (run.charAt(0) === marker.charAt(0) && run.length >= marker.length && rest.trim() === '')
      marker = ''
  }
  return marker !== ''
}

const word = fc.constantFrom(
  'alpha',
  'beta',
  '报告',
  '👩‍👩‍👧‍👦',
  '🇨🇳🇩🇪',
  'é́',
  '`code`',
  '[a](https://example.org/x)',
  'क्षि',
  '👍🏽',
  '，',
  '**bold**',
  'ﷺ',
  'x'.repeat(30),
)
const line = fc.array(word, { maxLength: 30 }).map(words => words.join(' '))
const fence = fc
  .tuple(
    fc.constantFrom('```', '~~~', '````'),
    fc.constantFrom('', 'ts', 'json title="a"'),
    fc.array(line, { maxLength: 12 }),
  )
  .map(([marker, info, lines]) => [marker + info, ...lines, marker].join('\n'))
const table = fc
  .array(fc.array(word, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 20 })
  .map(rows => ['| a | b |', '|---|:-:|', ...rows.map(cells => `| ${cells.join(' | ')} |`)].join('\n'))
const block = fc.oneof(
  line,
  line.map(text => `## ${text}`),
  line.map(text => `- ${text}`),
  line.map(text => `> ${text}`),
  fence,
  table,
  fc.constant(''),
)
const document = fc.array(block, { maxLength: 12 }).map(blocks => blocks.join('\n'))
const limits = fc.constantFrom(80, 120, 333, 2000)

test('every chunk is within the limit, has balanced fences and the chunks hold all of the text', () => {
  fc.assert(
    fc.property(document, limits, (text, limit) => {
      const chunks = chunkMessage(text, limit)
      for (const chunk of chunks) {
        assert.ok(chunk.length <= limit, `${chunk.length} > ${limit}`)
        assert.ok(!hasOpenFence(chunk), chunk)
        assert.ok(chunk.trim() !== '')
      }
      assert.ok(isSubsequence(visible(text), visible(chunks.join('\n'))), JSON.stringify({ text, chunks }))
    }),
    { numRuns: 300 },
  )
})

test('any text at all keeps the limit and holds no lone surrogate', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 3000 }), limits, (text, limit) => {
      for (const chunk of chunkMessage(text, limit)) {
        assert.ok(chunk.length <= limit)
        assert.ok(!/\p{Surrogate}/u.test(chunk))
      }
    }),
    { numRuns: 200 },
  )
})

test('hostile fences keep the limit', () => {
  const texts = [
    '`'.repeat(900),
    '```\n' + '`'.repeat(500) + '\n```',
    '```' + 'i'.repeat(300) + '\nx\n```',
    '~'.repeat(400),
    '- ```ts\n  ' + 'a b '.repeat(200),
    '> ```\n> ' + 'x'.repeat(300) + '\nplain',
    '```\nnever closed\n' + 'y\n'.repeat(200),
  ]
  for (const text of texts) {
    for (const limit of [60, 100, 2000]) {
      for (const chunk of chunkMessage(text, limit)) assert.ok(chunk.length <= limit, JSON.stringify(chunk))
    }
  }
})

test('a cut by length only, the broken twin, breaks fences and characters', () => {
  const text = '```ts\n' + '👩‍👩‍👧‍👦 code line\n'.repeat(60) + '```'
  const twin = Array.from({ length: Math.ceil(text.length / 333) }, (_, index) =>
    text.slice(index * 333, index * 333 + 333),
  )
  assert.ok(twin.some(hasOpenFence))
  assert.ok(!isSubsequence(visible(text), visible(twin.join('\n'))))
  assert.ok(chunkMessage(text, 333).every(chunk => !hasOpenFence(chunk)))
})

test('a fence is opened again with its info string', () => {
  const chunks = chunkMessage('```ts\n' + 'const a = 1\n'.repeat(40) + '```', 120)
  assert.ok(chunks.length > 3)
  for (const chunk of chunks) assert.match(chunk, /^```ts\nconst a = 1\n[\s\S]*\n```$/)
})

test('a table repeats its header and keeps its rows whole', () => {
  const rows = Array.from({ length: 30 }, (_, index) => `| row ${index} | some value |`)
  const chunks = chunkMessage(['| name | value |', '|---|---|', ...rows].join('\n'), 200)
  assert.ok(chunks.length > 3)
  for (const chunk of chunks) assert.ok(chunk.startsWith('| name | value |\n|---|---|\n| row '), chunk)
  assert.deepEqual(
    chunks.flatMap(chunk => chunk.split('\n').slice(2)),
    rows,
  )
})

test('a heading goes with what it heads', () => {
  const chunks = chunkMessage(`${'x '.repeat(40)}\n## Papers\nfirst line of the section`, 100)
  assert.ok(chunks[1]?.startsWith('## Papers\nfirst'))
})

test('short text is one message as it is, blank text is none', () => {
  assert.deepEqual(chunkMessage('# A\n\n- one\n- two'), ['# A\n\n- one\n- two'])
  for (const text of ['', '  \n\t\n', '\u200B\u2060', '\uFEFF\n']) assert.deepEqual(chunkMessage(text), [])
})

test('links and addresses stay whole where there is room', () => {
  const item = 'Some words before the link [title of it](https://example.org/a/long/path/to/it) and after. '
  const chunks = chunkMessage(item.repeat(30), 200)
  assert.equal(
    chunks.join(' ').match(/\[title of it\]\(https:\/\/example\.org\/a\/long\/path\/to\/it\)/g)?.length,
    30,
  )
})
