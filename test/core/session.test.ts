import assert from 'node:assert/strict'
import test from 'node:test'
import {
  branchOf,
  decodeSessionLine,
  type SessionEntry,
  sessionKey,
  transcriptOf,
} from '../../src/core/session.ts'

const timestamp = '2026-11-28T00:30:00.000Z'
const say = (id: string, parentId: string | null, text: string): SessionEntry => ({
  type: 'message',
  id,
  parentId,
  timestamp,
  message: { role: 'user', content: text, timestamp: 0 },
})
const texts = (entries: SessionEntry[]): unknown[] => transcriptOf(entries).map(message => message.content)

test('the branch runs from the root to the last entry and leaves side branches out', () => {
  const entries = [say('a', null, '1'), say('b', 'a', '2'), say('x', 'a', 'side'), say('c', 'b', '3')]
  assert.deepEqual(
    branchOf(entries).map(entry => entry.id),
    ['a', 'b', 'c'],
  )
  assert.deepEqual(
    branchOf(entries, 'x').map(entry => entry.id),
    ['a', 'x'],
  )
})

test('a leaf entry says where the branch ends', () => {
  const leaf: SessionEntry = { type: 'leaf', id: 'l', parentId: 'b', timestamp, leafId: 'a' }
  assert.deepEqual(
    branchOf([say('a', null, '1'), say('b', 'a', '2'), leaf]).map(entry => entry.id),
    ['a'],
  )
})

test('parents that form a ring do not hang', () => {
  assert.equal(branchOf([say('a', 'b', '1'), say('b', 'a', '2')]).length, 2)
})

test('after a compaction the model is shown the summary and what was kept', () => {
  const cut: SessionEntry = {
    type: 'compaction',
    id: 'k',
    parentId: 'b',
    timestamp,
    summary: 'S',
    firstKeptEntryId: 'b',
    tokensBefore: 9,
  }
  const shown = texts([say('a', null, 'old'), say('b', 'a', 'kept'), cut, say('c', 'k', 'new')])
  assert.deepEqual(shown, ['Summary of the conversation so far:\n\nS', 'kept', 'new'])
})

test('a compaction whose kept entry is gone shows the summary and what came after', () => {
  const cut: SessionEntry = {
    type: 'compaction',
    id: 'k',
    parentId: 'a',
    timestamp,
    summary: 'S',
    firstKeptEntryId: 'gone',
    tokensBefore: 9,
  }
  assert.deepEqual(texts([say('a', null, 'old'), cut, say('c', 'k', 'new')]).slice(1), ['new'])
})

test('a line that is neither header nor entry is not taken for one', () => {
  const wrong = [
    null,
    1,
    {},
    { type: 'message', id: 'a' },
    { type: 'message', id: 'a', parentId: null, message: { role: 'system' } },
    { type: 'session' },
  ]
  for (const value of wrong) assert.equal(decodeSessionLine(value), undefined)
  assert.ok(decodeSessionLine({ type: 'made_up', id: 'a', parentId: null, timestamp })?.entry)
})

test('sessions have one key each', () => {
  assert.deepEqual(
    [
      sessionKey('zoe', 'main', undefined),
      sessionKey('zoe', 'named:desk', 'x'),
      sessionKey('zoe', 'isolated', 'daily'),
    ],
    ['agent:zoe:main', 'agent:zoe:named:desk', 'cron:zoe/daily'],
  )
})
