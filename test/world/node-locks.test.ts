import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { MemLocks } from '../../src/sim/mem-locks.ts'
import { type Flock, programFlock } from '../../src/world/node-flock.ts'
import type { Locks } from '../../src/world/locks.ts'
import { nodeLocks } from '../../src/world/node-locks.ts'
import { repoDir } from '../shared.ts'
import { tempDir } from '../temp-dir.ts'

/** A process that takes the lock, starts a child of its own, says so, and stays. */
async function holderOf(t: TestContext, path: string): Promise<ChildProcess> {
  const source = `
    import { spawn } from 'node:child_process'
    import { nodeLocks } from ${JSON.stringify(join(repoDir, 'src/world/node-locks.ts'))}
    const lock = nodeLocks().tryLock(${JSON.stringify(path)})
    const child = spawn('sleep', ['60'], { stdio: 'ignore', detached: true })
    console.log(lock ? child.pid : 'busy')
    setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
    cwd: repoDir,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = await once(holder.stdout!, 'data')
  const grandchild = Number(String(said))
  assert.ok(grandchild > 0, `the holder got no lock: ${said}`)
  t.after(() => {
    holder.kill('SIGKILL')
    process.kill(grandchild, 'SIGKILL')
  })
  return holder
}

const ways: Record<string, Flock | undefined> = {
  'the found way': undefined,
  'the program flock': programFlock,
}

function assertHeldOnce(locks: Locks, path: string): void {
  const lock = locks.tryLock(path)
  assert.ok(lock)
  assert.equal(locks.tryLock(path), undefined)
  lock.release()
  lock.release()
  const next = locks.tryLock(path)
  assert.ok(next)
  lock.release()
  assert.equal(locks.tryLock(path), undefined, 'a repeated release frees nobody else')
  next.release()
}

for (const [name, flock] of Object.entries(ways)) {
  test(`by ${name}, a lock is held once, also within one process, and is free after release`, t =>
    assertHeldOnce(nodeLocks(flock), join(tempDir(t), 'locks', 'state.lock')))
}

test('a lock that is given to everyone is caught', t => {
  const path = join(tempDir(t), 'state.lock')
  assert.throws(
    () =>
      assertHeldOnce(
        nodeLocks(() => true),
        path,
      ),
    { name: 'AssertionError' },
  )
})

test('libc and the program take the same lock', t => {
  const path = join(tempDir(t), 'a.lock')
  const lock = nodeLocks().tryLock(path)
  assert.equal(nodeLocks(programFlock).tryLock(path), undefined)
  lock?.release()
  const other = nodeLocks(programFlock).tryLock(path)
  assert.ok(other)
  assert.equal(nodeLocks().tryLock(path), undefined)
  other.release()
})

test('another process that holds it is seen, stopped as well; killed, it is free at once, though its child lives', async t => {
  const path = join(tempDir(t), 'a.lock')
  const holder = await holderOf(t, path)
  assert.equal(nodeLocks().tryLock(path), undefined)
  holder.kill('SIGSTOP')
  assert.equal(nodeLocks().tryLock(path), undefined)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  const lock = nodeLocks().tryLock(path)
  assert.ok(lock)
  lock.release()
})

test('a lock on a file that was deleted meanwhile is not taken for one', t => {
  const path = join(tempDir(t), 'a.lock')
  let locked = 0
  const deletesFirst: Flock = () => {
    locked += 1
    if (locked === 1) rmSync(path)
    return true
  }
  const lock = nodeLocks(deletesFirst).tryLock(path)
  assert.ok(lock)
  assert.equal(locked, 2)
  assert.ok(statSync(path))
  lock.release()
  const deletesAlways: Flock = () => {
    rmSync(path)
    return true
  }
  assert.throws(() => nodeLocks(deletesAlways).tryLock(path), { code: 'ESTALE' })
})

test('the file is private, and stays after the release', t => {
  const path = join(tempDir(t), 'a.lock')
  const lock = nodeLocks().tryLock(path)
  assert.equal(statSync(path).mode & 0o777, 0o600)
  lock?.release()
  lock?.release()
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

const fails: Flock = () => {
  throw Object.assign(new Error('no'), { code: 'ENOLCK' })
}

test('a failure other than held is an error, never a lock', t => {
  assert.throws(() => nodeLocks(fails).tryLock(join(tempDir(t), 'a.lock')), {
    name: 'DiskError',
    code: 'ENOLCK',
  })
})

test('simulated locks are shared by processes and freed by their end only', () => {
  const one = new MemLocks()
  const two = one.view()
  const lock = one.tryLock('/ws/a.lock')
  assert.equal(two.tryLock('/ws/a.lock'), undefined)
  assert.equal(one.tryLock('/ws/a.lock'), undefined)
  two.reboot()
  assert.deepEqual(one.held(), ['/ws/a.lock'])
  one.reboot()
  const next = two.tryLock('/ws/a.lock')
  assert.ok(next)
  lock?.release()
  assert.deepEqual(one.held(), ['/ws/a.lock'])
})
