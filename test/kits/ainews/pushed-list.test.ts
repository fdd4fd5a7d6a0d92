import assert from 'node:assert/strict'
import { test } from 'node:test'
import { peekPushed, recordPushed } from '../../../src/kits/ainews/pushed-list.ts'
import { isPushed } from '../../../src/core/pushed.ts'
import { DiskError } from '../../../src/world/disk.ts'
import { memoryCache } from './rig.ts'

const now = Date.UTC(2026, 10, 28)

test('what was pushed is found under every address of the page', () => {
  const cache = memoryCache()
  assert.deepEqual(recordPushed(cache, ['http://www.a.example/x/?utm_source=y', 'no link'], now), [])
  assert.ok(isPushed(peekPushed(cache).pushed, 'https://a.example/x', now))
  assert.deepEqual(recordPushed(cache, ['https://b.example/'], now), [])
  assert.equal(peekPushed(cache).pushed.size, 2)
})

for (const text of [
  '{"https://a.example": "2026-11-27T00:00:00Z", "https://b.exa',
  '[]',
  '{"https://a.example": 7}',
  '',
]) {
  test(`a damaged list is set aside before a new one is written: ${text || 'empty'}`, () => {
    const cache = memoryCache({ 'pushed.json': text })
    assert.ok(peekPushed(cache).damage)
    const [note] = recordPushed(cache, ['https://c.example/'], now)
    assert.match(note ?? '', /set aside/)
    const aside = Object.keys(cache.texts).find(name => name.startsWith('pushed.damaged-'))
    assert.equal(cache.texts[aside!], text)
    assert.equal(peekPushed(cache).damage, undefined)
  })
}

test('after a failed read nothing is written', () => {
  const cache = memoryCache()
  const unreadable = {
    ...cache,
    read: () => {
      throw new DiskError('EIO', 'read', '/pushed.json')
    },
  }
  assert.throws(() => recordPushed(unreadable, ['https://a.example/'], now), /EIO/)
  assert.deepEqual(cache.texts, {})
  assert.match(peekPushed(unreadable).damage ?? '', /EIO/)
})
