import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isClawError } from '../../src/core/claw-error.ts'
import { type Lease, type LeaseBusy, takeLease } from '../../src/store/lease.ts'
import { withLock } from '../../src/store/lock.ts'
import { nodeSharedLocks } from '../../src/world/node-shared-locks.ts'
import { tempDir } from '../temp-dir.ts'
import { type Holder, hereOwner, realWorld, startHolder } from './real-world.ts'

const hourMs = 3_600_000

async function stoppedHolder(t: TestContext, kind: string, ...argv: string[]): Promise<Holder> {
  const holder = startHolder(t, kind, ...argv)
  assert.equal(await holder.says(), 'held')
  holder.child.kill('SIGSTOP')
  return holder
}

async function killed({ child }: Holder): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

const takeLocal = (path: string, aheadMs = 0) =>
  takeLease(realWorld(aheadMs), path, { owner: hereOwner('parent'), volume: 'local' })

test('a waiter on the lock of a stopped process is told who holds it, and the next gets in when it is killed', async t => {
  const path = join(tempDir(t), 'tasks.lock')
  const holder = await stoppedHolder(t, 'lock', path)
  for (const aheadMs of [0, hourMs, -hourMs]) {
    const told = await withLock(realWorld(aheadMs), path, () => 'in', { waitMs: 200 }).catch(
      (error: unknown) => error,
    )
    assert.ok(isClawError(told, 'busy'))
    const pid = process.platform === 'linux' ? `pid ${holder.child.pid}` : 'another process'
    assert.match(told.message, new RegExp(`held by ${pid} since \\d{4}-`))
  }
  await killed(holder)
  assert.equal(await withLock(realWorld(), path, () => 'in'), 'in')
})

test('a lease of a stopped process is kept whatever the clock says, and told to the next when it is killed', async t => {
  const path = join(tempDir(t), 'ainews.lease')
  const holder = await stoppedHolder(t, 'local', path)
  for (const aheadMs of [0, hourMs, -hourMs, 24 * hourMs]) {
    const busy = await takeLocal(path, aheadMs)
    assert.ok(busy.kind === 'busy' && busy.owner?.pid === holder.child.pid, `${aheadMs}`)
  }
  await killed(holder)
  const next = await takeLocal(path)
  assert.ok(next.kind === 'held')
  assert.equal(next.previous?.run, 'child')
  next.release()
  const again = await takeLocal(path)
  assert.ok(again.kind === 'held' && again.previous === undefined)
})

test('a forged owner blocks nothing: a recycled pid, another host, noise', async t => {
  const path = join(tempDir(t), 'ainews.lease')
  const forged = [
    { pid: process.ppid, processStart: '1' },
    { host: 'elsewhere' },
    { since: '2999-01-01T00:00:00Z' },
  ]
  for (const change of forged) {
    writeFileSync(`${path}.owner`, JSON.stringify({ ...hereOwner('forged'), ...change }))
    const lease = await takeLocal(path)
    assert.ok(lease.kind === 'held' && lease.previous?.run === 'forged')
    lease.release()
  }
  writeFileSync(`${path}.owner`, 'noise')
  assert.equal((await takeLocal(path)).kind, 'held')
})

/** One try on a lock that somebody holds, after the stale time or with a clock that is ahead. */
type Steals = (path: string, aheadMs: number) => Promise<boolean>

const byLease: Steals = async (path, aheadMs) => (await takeLocal(path, aheadMs)).kind === 'held'

/** The broken twin: a directory that is stale when its time is old. */
const byAge: Steals = async (path, aheadMs) => {
  const dir = `${path}.dir`
  if (existsSync(dir) && Date.now() + aheadMs - statSync(dir).mtimeMs > 10_000) rmdirSync(dir)
  try {
    mkdirSync(dir)
    return true
  } catch {
    return false
  }
}

for (const [name, steals, expected] of [
  ['a kernel lease is never stolen', byLease, false],
  ['the check catches a lock that is judged by its age', byAge, true],
] as const) {
  test(`${name} from a stopped holder`, async t => {
    const path = join(tempDir(t), 'ainews.lease')
    await stoppedHolder(t, 'local', path)
    mkdirSync(`${path}.dir`)
    const longAgo = new Date(Date.now() - hourMs)
    utimesSync(path, longAgo, longAgo)
    assert.equal(await steals(path, hourMs), expected)
    utimesSync(`${path}.dir`, longAgo, longAgo)
    assert.equal(await steals(path, 0), expected)
  })
}

const takeShared = (path: string) =>
  takeLease(realWorld(), path, {
    owner: hereOwner('parent'),
    volume: 'shared',
    sharedLocks: nodeSharedLocks(),
    staleMs: 2000,
  })

async function takeSharedInTime(path: string): Promise<Lease> {
  let lease: Lease | LeaseBusy = await takeShared(path)
  assert.equal(lease.kind, 'busy')
  while (lease.kind === 'busy') {
    assert.equal(lease.owner?.run, 'child')
    await sleep(200)
    lease = await takeShared(path)
  }
  return lease
}

/** What a holder says and writes that slept through its shared lease. */
async function sleptThrough(
  t: TestContext,
  kind: 'shared' | 'blind',
): Promise<{ said?: string; wrote: string }> {
  const dir = tempDir(t)
  const path = join(dir, 'ainews.lease')
  const file = join(dir, 'state')
  writeFileSync(file, '')
  const holder = startHolder(t, kind, path, file)
  assert.equal(await holder.says(), 'held')
  holder.child.stdin.write('awake\n')
  assert.equal(await holder.says(), 'written')
  holder.child.kill('SIGSTOP')
  const next = await takeSharedInTime(path)
  assert.equal(next.fence, 2)
  holder.child.stdin.write('after its sleep\n')
  holder.child.kill('SIGCONT')
  const said = await holder.says()
  next.assertHeld()
  next.release()
  return { ...(said !== undefined && { said }), wrote: readFileSync(file, 'utf8') }
}

test('a holder that slept through its shared lease neither writes nor crashes', async t => {
  assert.deepEqual(await sleptThrough(t, 'shared'), { said: 'lost', wrote: 'child awake\n' })
})

test('the check catches a holder that does not ask', async t => {
  assert.deepEqual(await sleptThrough(t, 'blind'), {
    said: 'written',
    wrote: 'child awake\nchild after its sleep\n',
  })
})
