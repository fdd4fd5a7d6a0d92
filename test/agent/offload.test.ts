import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cappedResults, type ResultCaps } from '../../src/agent/offload.ts'

function caps(more: Partial<ResultCaps> = {}): ResultCaps & { kept: string[] } {
  const kept: string[] = []
  return {
    perResultChars: 10_000,
    perRoundChars: 20_000,
    windowTokens: 100_000,
    kept,
    offload: text => `blob:${kept.push(text)}`,
    ...more,
  }
}

function lengths(texts: readonly string[], more: Partial<ResultCaps> = {}): number[] {
  return cappedResults(texts, caps(more)).map(({ text }) => Math.floor(text.length / 1000))
}

const chars = (count: number): string => 'x'.repeat(count)

test('a result within its limit is untouched, and nothing is offloaded', () => {
  const own = caps()
  assert.deepEqual(
    cappedResults(['', chars(10_000)], own).map(({ text }) => text.length),
    [0, 10_000],
  )
  assert.deepEqual(own.kept, [])
})

test('results that are each fine are cut when their sum is not, the large ones first', () => {
  assert.deepEqual(lengths([chars(9000), chars(9000), chars(9000)]), [6, 6, 6])
  assert.deepEqual(lengths([chars(500), chars(9000), chars(9000), chars(9000)]), [0, 6, 6, 6])
})

test('a small window lowers the limit, but something is always left', () => {
  assert.deepEqual(lengths([chars(9000)], { windowTokens: 4000 }), [4])
  assert.deepEqual(lengths([chars(9000)], { windowTokens: 10 }), [2])
})

test('the gap tells what is missing and where it is, and no code point is split', () => {
  const point = fc.constantFrom('a', '字', '🦞', '\n')
  fc.assert(
    fc.property(fc.array(point, { minLength: 3000, maxLength: 6000 }), points => {
      const text = points.join('')
      const own = caps({ perResultChars: 2500 })
      const [only] = cappedResults([text], own)
      assert.ok(only)
      if (text.length <= 2500) return
      const [head = '', missing = '', tail = ''] = only.text.split(
        /\n\[\.\.\. (\d+) of \d+ characters .*? \.\.\.\]\n/,
      )
      assert.equal(head.length + Number(missing) + tail.length, text.length)
      assert.ok(text.startsWith(head) && text.endsWith(tail))
      assert.ok(!/\p{Surrogate}/u.test(only.text))
      assert.deepEqual([own.kept[0], only.fullText, only.rawChars], [text, 'blob:1', text.length])
    }),
    { numRuns: 30 },
  )
})
