import assert from 'node:assert/strict'
import test from 'node:test'
import {
  DecodeProblem,
  duration,
  listOf,
  objectOf,
  oneOf,
  optional,
  text,
  wholeIn,
} from '../../src/core/decode.ts'

const shape = objectOf({ name: text, tries: optional(wholeIn(1, 9), 3), tags: optional(listOf(text), []) })

function problem(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof DecodeProblem)
    return `${error.path.join('/')}: ${error.message}`
  }
  return 'accepted'
}

test('a mapping keeps what is given and fills in what is not', () => {
  assert.deepEqual(shape({ name: 'a', tags: ['x'] }, []), { name: 'a', tries: 3, tags: ['x'] })
})

test('every refusal names the member, what was expected and what was there', () => {
  const table: [unknown, string][] = [
    [{ nam: 'a' }, 'nam: unknown key `nam`; did you mean `name`?'],
    [{ name: 'a', zzzzzz: 1 }, 'zzzzzz: unknown key `zzzzzz`; known keys: name, tries, tags'],
    [{ name: 3 }, 'name: `name` must be text, not 3'],
    [{ name: 'a', tries: 12 }, 'tries: `tries` must be a whole number from 1 to 9, not 12'],
    [{ name: 'a', tags: ['x', 1] }, 'tags/1: `tags[1]` must be text, not 1'],
    [[], ': `the document` must be a mapping, not []'],
  ]
  for (const [value, expected] of table)
    assert.equal(
      problem(() => shape(value, [])),
      expected,
    )
})

test('a word that is nearly right is suggested', () => {
  const tier = oneOf(['routine', 'reflection'])
  assert.match(
    problem(() => tier('routin', ['tier'])),
    /did you mean routine\?/,
  )
  assert.doesNotMatch(
    problem(() => tier('x', ['tier'])),
    /did you mean/,
  )
})

test('durations are read with their unit, and nothing else is', () => {
  const table: [unknown, number][] = [
    ['240s', 240_000],
    ['2h', 7_200_000],
    ['7d', 604_800_000],
    ['90', 90_000],
    [90, 90_000],
    ['1.5m', 90_000],
    ['50ms', 50],
  ]
  for (const [given, ms] of table) assert.equal(duration(given, []), ms, String(given))
  for (const wrong of ['', 'soon', '-5s', '5 weeks', null, {}])
    assert.match(
      problem(() => duration(wrong, ['t'])),
      /must be a duration/,
    )
})
