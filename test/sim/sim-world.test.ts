import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ProcessDeath } from '../../src/sim/process-death.ts'
import { simWorld } from '../../src/sim/sim-world.ts'

test('two processes share disk, locks and time, and die apart', () => {
  const one = simWorld({ files: { 'a.txt': 'text' }, now: '2026-03-02T08:30:00Z' })
  const two = one.another()
  assert.notEqual(one.host.pid, two.host.pid)
  assert.notEqual(one.random.uuid(), two.random.uuid())
  one.locks.tryLock('/ws/a.lock')
  one.disk.kill()
  assert.throws(() => one.locks.tryLock('/ws/b.lock'), ProcessDeath)
  assert.equal(two.locks.tryLock('/ws/a.lock'), undefined, 'held until its end is noticed by the kernel')
  one.reboot()
  assert.ok(two.locks.tryLock('/ws/a.lock'))
  two.disk.append('/ws/a.txt', Buffer.from('!'))
  two.clock.advance(1000)
  assert.equal(one.disk.text('/ws/a.txt'), 'text!')
  assert.equal(one.disk.stat('/ws/a.txt')?.mtimeMs, one.clock.now() - 1000)
})

test('a world over a clone begins where the disk was, whatever the first one did', () => {
  const { disk } = simWorld({ files: { 'a.txt': 'text', 'd/': '' }, root: '/team' })
  const world = simWorld({ disk: disk.clone(), root: '/team' })
  disk.remove('/team/a.txt')
  assert.deepEqual(world.disk.paths(), ['/team/a.txt'])
  assert.equal(world.disk.stat('/team/d')?.kind, 'directory')
  assert.equal(world.host.cwd, '/team')
})

test('what is not scripted is not there: no network, no program', async () => {
  const world = simWorld()
  const run = { cwd: '/ws', env: {}, timeoutMs: 1, maxBytes: 2 }
  const absent = await world.spawn.run({ argv: ['git'], ...run })
  assert.deepEqual(absent.outcome, { kind: 'not-started', why: 'ENOENT: git' })
  const scripted = simWorld({ spawn: () => ({ stdout: '中' }), stdin: 'typed' })
  const reply = await scripted.spawn.run({ argv: ['git'], ...run })
  assert.equal(reply.stdoutBytes, 3)
  assert.equal(reply.stdout.length, 2)
  assert.equal(await scripted.terminal.readIn(), 'typed')
})
