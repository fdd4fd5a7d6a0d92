import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardCall, type GuardedCall, type GuardState, noCalls } from '../../src/core/loop-guard.ts'

function verdicts(calls: readonly (Partial<GuardedCall> & { name: string })[]): string[] {
  let state: GuardState = noCalls
  return calls.map((call, index) => {
    const next = guardCall(state, { argsKey: 'a', resultKey: `r${index}`, isKnown: true, ...call })
    state = next.state
    return next.verdict.kind
  })
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

test('the same call with the same result warns at three and stops at five', () => {
  const same = verdicts(times(5, () => ({ name: 'read', resultKey: 'same' })))
  assert.deepEqual(same, ['fine', 'fine', 'warn', 'warn', 'stop'])
})

test('other work in between does not hide a repeat', () => {
  const mixed = times(14, index =>
    index % 3 === 0 ? { name: 'read', resultKey: 'same' } : { name: 'exec', argsKey: `${index}` },
  )
  assert.equal(verdicts(mixed).at(12), 'stop')
})

test('the same call with new results, and many different calls, are fine', () => {
  assert.ok(verdicts(times(20, () => ({ name: 'poll' }))).every(kind => kind === 'fine'))
  assert.ok(
    verdicts(times(60, index => ({ name: 'read', argsKey: `${index}`, resultKey: 'same' }))).every(
      kind => kind === 'fine',
    ),
  )
})

test('tools that do not exist stop the run at the fourth', () => {
  const unknown = verdicts(times(4, index => ({ name: `guess${index}`, isKnown: false })))
  assert.deepEqual(unknown, ['fine', 'warn', 'warn', 'stop'])
})

test('two calls that take turns warn at four pairs and stop at six, though their results change', () => {
  const turns = verdicts(times(12, index => ({ name: index % 2 === 0 ? 'read' : 'edit' })))
  assert.equal(turns[6], 'fine')
  assert.equal(turns[7], 'warn')
  assert.equal(turns[11], 'stop')
})

test('three calls in rotation are no ping-pong', () => {
  assert.ok(verdicts(times(30, index => ({ name: `tool${index % 3}` }))).every(kind => kind === 'fine'))
})
