import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DecodeCache } from '../../src/records/decode-cache.ts'
import { simWorld } from '../../src/sim/sim-world.ts'

test('a kept value whose bytes changed on the disk is passed over', () => {
  const world = simWorld({ files: {} })
  const kept = new DecodeCache<{ day: number }>(world, '/ws', 'config')
  kept.put('claw.yaml', 'day: 5', { day: 5 })
  kept.save()
  const read = () => new DecodeCache<{ day: number }>(world, '/ws', 'config').get('claw.yaml', 'day: 5')
  assert.deepEqual(read(), { day: 5 })
  const path = '/ws/.claw/index/config.json'
  const text = world.disk.text(path)!
  for (const damaged of [text.replace('"day":5', '"day":7'), text.replace(/"entries":.*/, '"entries":5}')]) {
    world.disk.remove(path)
    world.disk.create(path, Buffer.from(damaged))
    assert.equal(read(), undefined)
    new DecodeCache(world, '/ws', 'config').put('claw.yaml', 'day: 5', { day: 5 })
  }
})
