import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type CooldownEvent,
  type Cooldowns,
  coolingUntil,
  foldCooldown,
  liveCooldowns,
} from '../../src/core/cooldown.ts'
import { type FailureClass, failureRules } from '../../src/core/failure.ts'
import { dayMs, hourMs, minuteMs } from '../../src/core/millis.ts'

const subject = 'model:a/b'
const start = 1_800_000_000_000

function failed(at: number, why: FailureClass = 'rate-limit', retryAfterMs?: number): CooldownEvent {
  return { type: 'cooldown.failed', subject, why, at, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

function folded(...events: CooldownEvent[]): Cooldowns {
  return events.reduce(foldCooldown, {})
}

function restMs(state: Cooldowns, now: number): number {
  return (coolingUntil(state, subject, now) ?? now) - now
}

test('a rest doubles with each failure in a row and stays under its cap', () => {
  const rests = [1, 2, 3, 4, 5].map(count => {
    const events = Array.from({ length: count }, (_, index) => failed(start + index))
    return restMs(folded(...events), start + count - 1) / minuteMs
  })
  assert.deepEqual(rests, [1, 2, 4, 5, 5])
})

test('an answer ends the row, and so does a day without failure', () => {
  const answered = folded(failed(start), failed(start + 1), {
    type: 'cooldown.answered',
    subject,
    at: start + 2,
  })
  assert.equal(coolingUntil(answered, subject, start + 2), undefined)
  assert.equal(restMs(foldCooldown(answered, failed(start + 3)), start + 3), minuteMs)
  assert.equal(restMs(folded(failed(start), failed(start + dayMs)), start + dayMs), minuteMs)
})

test('the wish of the provider may exceed the cap, up to a day', () => {
  assert.equal(restMs(folded(failed(start, 'rate-limit', 2 * hourMs)), start), 2 * hourMs)
  assert.equal(restMs(folded(failed(start, 'rate-limit', 900 * dayMs)), start), dayMs)
})

test('classes that cool nobody leave no rest', () => {
  for (const why of ['empty', 'truncated', 'format', 'refusal', 'aborted', 'context-overflow'] as const) {
    assert.deepEqual(folded(failed(start, why)), {}, why)
  }
})

test('each event may be folded twice', () => {
  const events = [
    failed(start),
    failed(start + 5, 'billing'),
    { type: 'cooldown.answered' as const, subject, at: start + 9 },
  ]
  for (let count = 1; count <= events.length; count += 1) {
    const some = events.slice(0, count)
    assert.deepEqual(folded(...some.flatMap(event => [event, event])), folded(...some))
  }
})

function checkNoStickyRest(until: typeof coolingUntil): void {
  const why = fc.constantFrom(...(Object.keys(failureRules) as FailureClass[]))
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: -500, max: 500 }), why), { maxLength: 40 }), steps => {
      const state = folded(
        ...steps.map(([hours, reason]) => failed(start + hours * hourMs, reason, 5 * dayMs)),
      )
      const last = Math.max(start, ...Object.values(state).map(({ at }) => at))
      assert.equal(until(state, subject, last + dayMs), undefined)
    }),
  )
  const future = {
    [subject]: { failures: 9, why: 'billing' as const, at: start + 400 * dayMs, until: start + 500 * dayMs },
  }
  assert.equal(until(future, subject, start), undefined, 'stamped in the future')
  const edited = {
    [subject]: { failures: 1, why: 'billing' as const, at: start, until: start + 500 * dayMs },
  }
  assert.equal(until(edited, subject, start + 2 * dayMs), undefined, 'longer than any rule')
}

test('no rest outlives its time, whatever clock or hand wrote the record', () => {
  checkNoStickyRest(coolingUntil)
  assert.throws(
    () => checkNoStickyRest((state, who) => state[who]?.until),
    'a check that trusts the record is caught',
  )
})

test('a record keeps only what still matters', () => {
  const state = folded(failed(start))
  assert.deepEqual(liveCooldowns(state, start + hourMs), state)
  assert.deepEqual(liveCooldowns(state, start + 2 * dayMs), {})
})
