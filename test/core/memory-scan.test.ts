import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scanMemory } from '../../src/core/memory-scan.ts'

const files = [
  {
    path: 'agents/a/MEMORY.md',
    text: '# Memory\n\nThe feed list was trimmed.\n\n## 指标\n资金净流入用 BILLBOARD_BUY_AMT 字段\n',
  },
  {
    path: 'agents/a/memory/2026-11-29.md',
    text: 'Nothing much.\n' + 'filler\n'.repeat(20) + 'Retry the FEED list tomorrow\n',
  },
]

test('words are found without regard to case, with file and lines', () => {
  const hits = scanMemory(files, { query: 'feed LIST' })
  assert.equal(hits.length, 2)
  const late = hits.find(hit => hit.path.includes('11-29'))
  assert.ok(late && late.startLine <= 22 && late.endLine >= 22)
  assert.equal(late.citation, `${late.path}#L${late.startLine}-L${late.endLine}`)
  assert.ok(late.snippet.includes('Retry the FEED list'))
  assert.equal(late.source, 'memory')
})

test('Chinese is found without blanks between words, in any width', () => {
  assert.equal(scanMemory(files, { query: '资金流入指标' })[0]?.startLine, 5)
  assert.equal(scanMemory(files, { query: 'ｂｉｌｌｂｏａｒｄ_ＢＵＹ_ＡＭＴ' }).length, 1)
})

test('the whole phrase scores 1, parts less, too little nothing', () => {
  assert.equal(scanMemory(files, { query: 'feed list was trimmed' })[0]?.score, 1)
  const partial = scanMemory(files, { query: 'feed list unheard of' })[0]
  assert.ok(partial && partial.score < 1)
  assert.deepEqual(scanMemory(files, { query: 'entirely other words' }), [])
  assert.deepEqual(scanMemory(files, { query: '?!' }), [])
})

test('an exact search for the query, the broken twin, misses what is spread over a sentence', () => {
  assert.ok(!files.some(({ text }) => text.includes('trimmed feed')))
  assert.equal(scanMemory(files, { query: 'trimmed feed' }).length > 0, true)
})
