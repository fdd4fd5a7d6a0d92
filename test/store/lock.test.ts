import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClawError } from '../../src/core/claw-error.ts'
import { simWorld } from '../../src/sim/sim-world.ts'
import { type Held, withLock } from '../../src/store/lock.ts'

const path = '/ws/.claw/locks/tasks.lock'

test('a lock is held during its body and free afterwards, also after a throw', async () => {
  const world = simWorld()
  const seen = await withLock(world, path, held => [held.path, world.locks.held()])
  assert.deepEqual(seen, [path, [path]])
  assert.deepEqual(world.locks.held(), [])
  await assert.rejects(
    withLock(world, path, () => {
      throw new Error('inside')
    }),
    /inside/,
  )
  assert.deepEqual(world.locks.held(), [])
})

test('a busy lock is tried again within 1 to 5 ms at first, and given up in time', async () => {
  const world = simWorld()
  world.another().locks.tryLock(path)
  await assert.rejects(
    withLock(world, path, () => 1),
    error =>
      isClawError(error, 'busy') &&
      error.exitCode === 6 &&
      /tasks\.lock is busy, held by .* since 2026/.test(error.message),
  )
  const { sleeps } = world.clock
  assert.ok(
    sleeps.slice(0, 3).every(ms => ms >= 1 && ms <= 5),
    sleeps.slice(0, 3).join(),
  )
  assert.ok(sleeps.every(ms => ms <= 40))
  assert.equal(Math.round(sleeps.reduce((sum, ms) => sum + ms, 0)), 10_000)
})

test('no wait is one try', async () => {
  const world = simWorld()
  world.another().locks.tryLock(path)
  await assert.rejects(withLock(world, path, () => 1, { waitMs: 0 }))
  assert.deepEqual(world.clock.sleeps, [])
})

test('a lock that comes free is taken', async () => {
  const world = simWorld()
  const other = world.another().locks.tryLock(path)
  const sleep = world.clock.sleep.bind(world.clock)
  world.clock.sleep = async ms => {
    await sleep(ms)
    if (world.clock.elapsed() > 100) other?.release()
  }
  assert.equal(await withLock(world, path, () => 'mine'), 'mine')
})

test('an hour forward or back neither steals a lock nor ends the wait', async () => {
  for (const stepMs of [3_600_000, -3_600_000]) {
    const world = simWorld()
    world.another().locks.tryLock(path)
    const sleep = world.clock.sleep.bind(world.clock)
    world.clock.sleep = async ms => {
      await sleep(ms)
      world.clock.set(world.clock.now() + stepMs)
    }
    await assert.rejects(
      withLock(world, path, () => 1, { waitMs: 100 }),
      error => isClawError(error, 'busy'),
    )
    assert.ok(world.clock.sleeps.length > 5)
  }
})

test('the kernel tells who holds a lock, where it can', async () => {
  const locks = '1: POSIX  ADVISORY  READ 5 fe:00:7 128 128\n2: FLOCK  ADVISORY  WRITE 4711 fe:00:INO 0 EOF\n'
  const world = simWorld({ root: '/', files: { lock: '' } })
  const inode = world.disk.stat('/lock')?.id.split(':').at(-1) ?? ''
  const files = { lock: '', 'proc/locks': locks.replace('INO', inode) }
  const withProc = simWorld({ root: '/', files })
  withProc.another().locks.tryLock('/lock')
  await assert.rejects(
    withLock(withProc, '/lock', () => 1, { waitMs: 0 }),
    /lock is busy, held by pid 4711 since /,
  )
})

test('an asynchronous body is a type error', () => {
  const world = simWorld()
  // @ts-expect-error a promise would outlive the lock
  const wrong = () => withLock(world, path, async () => 1)
  // @ts-expect-error only withLock makes one
  const forged: Held = { path }
  assert.equal(typeof wrong, 'function')
  assert.equal(forged.path, path)
})
