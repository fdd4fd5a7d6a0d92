import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileChannel } from '../../../src/adapters/channels/file.ts'
import { sweepCrashes } from '../../../src/sim/crash-sweep.ts'
import { type SimWorld, simWorld } from '../../../src/sim/sim-world.ts'

function published(world: SimWorld): Record<string, string> {
  const names = (world.disk.list('/ws/out') ?? [])
    .map(entry => entry.name)
    .filter(name => !name.endsWith('.draft'))
  return Object.fromEntries(
    names.map(name => [name, Buffer.from(world.disk.read(`/ws/out/${name}`) ?? []).toString()]),
  )
}

test('the same key is written once, another key apart', async () => {
  const world = simWorld()
  const channel = fileChannel('f', world, '/ws/out')
  assert.equal((await channel.send('one', 'run.1')).kind, 'sent')
  assert.equal((await channel.send('one', 'run.1')).kind, 'sent')
  assert.equal((await channel.send('two', 'a/b')).kind, 'sent')
  assert.equal((await channel.send('three', 'a:b')).kind, 'sent')
  const files = published(world)
  assert.equal(files['run.1.md'], 'one\n')
  assert.equal(Object.keys(files).length, 3)
  assert.equal((world.disk.list('/ws/out') ?? []).length, 3)
})

test('a key cannot lead out of the folder', async () => {
  const world = simWorld()
  const channel = fileChannel('f', world, '/ws/out')
  for (const key of ['../../etc/x', '/abs', '..', '.hidden', 'x'.repeat(400)]) await channel.send('x', key)
  assert.equal(Object.keys(published(world)).length, 5)
  assert.equal(world.disk.stat('/etc/x'), undefined)
})

test('a crash anywhere leaves the whole message or none, and the next send makes it one', async () => {
  const { runs } = await sweepCrashes({
    start: () => simWorld(),
    act: world => fileChannel('f', world, '/ws/out').send('whole text', 'k1'),
    check: (world, where) => assert.deepEqual(published(world), { 'k1.md': 'whole text\n' }, where),
    between: (world, where) =>
      assert.ok(['{}', '{"k1.md":"whole text\\n"}'].includes(JSON.stringify(published(world))), where),
  })
  assert.ok(runs > 20)
})

test('writing in place, the broken twin, is caught by the same sweep', async () => {
  await assert.rejects(
    sweepCrashes({
      start: () => simWorld({ files: { 'out/.keep': '' } }),
      act: async world => {
        if (!world.disk.stat('/ws/out/k1.md')) world.disk.create('/ws/out/k1.md', Buffer.from('whole text\n'))
      },
      check: (world, where) => assert.equal(published(world)['k1.md'], 'whole text\n', where),
    }),
  )
})
