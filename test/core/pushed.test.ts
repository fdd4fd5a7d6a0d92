import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dayMs } from '../../src/core/millis.ts'
import { decodePushed, encodePushed, foldPushed, isPushed } from '../../src/core/pushed.ts'

const now = Date.UTC(2026, 10, 28)

test('a link is pushed for seven days and then forgotten', () => {
  const pushed = foldPushed(new Map(), ['https://a.example/'], now)
  assert.ok(isPushed(pushed, 'https://a.example/', now + 7 * dayMs - 1))
  assert.ok(!isPushed(pushed, 'https://a.example/', now + 7 * dayMs))
  assert.equal(foldPushed(pushed, [], now + 7 * dayMs).size, 0)
})

test('folding the same links twice changes nothing', () => {
  const once = foldPushed(new Map(), ['https://a.example/'], now)
  assert.deepEqual(foldPushed(once, ['https://a.example/'], now), once)
})

test('a stamp of the future does not hide a link for ever', () => {
  const pushed = foldPushed(new Map([['https://a.example/', now + 400 * dayMs]]), [], now)
  assert.equal(pushed.get('https://a.example/'), now)
})

test('what is written is read again, and damage is told with what could be read', () => {
  const pushed = foldPushed(new Map(), ['https://b.example/', 'https://a.example/'], now)
  assert.deepEqual(decodePushed(encodePushed(pushed)), { pushed })
  const damaged = decodePushed({ ...encodePushed(pushed), 'https://c.example/': 'yesterday' })
  assert.equal(damaged.pushed.size, 2)
  assert.match(damaged.damage ?? '', /1 entries/)
  for (const value of [[], null, 'text', 7]) assert.ok(decodePushed(value).damage)
})
