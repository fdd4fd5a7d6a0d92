import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClawError } from '../../src/core/claw-error.ts'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'
import { sweepErrors } from '../../src/sim/error-sweep.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'
import { ownerInWords } from '../../src/store/lease-owner.ts'
import { type Lease, type LeaseOwner, takeLease } from '../../src/store/lease.ts'
import type { SharedLocks } from '../../src/world/shared-locks.ts'

const path = '/ws/.claw/leases/ainews.lease'

const owner = (run: string): LeaseOwner => ({
  run,
  host: 'here',
  pid: 42,
  processStart: '1000',
  since: '2026-03-02T00:00:00.000Z',
  what: 'ainews/morning-digest',
})

/** As a volume on which two hosts believe to hold one lock after `expire`. */
function expiringLocks(): SharedLocks & { expire(): void; released: number } {
  let isTaken = false
  const locks = {
    released: 0,
    expire: () => {
      isTaken = false
    },
    acquire: async () => {
      if (isTaken) return undefined
      isTaken = true
      return {
        release: async () => {
          locks.released++
          isTaken = false
        },
      }
    },
  }
  return locks
}

async function held(world: SimWorld, run: string, sharedLocks?: SharedLocks): Promise<Lease> {
  const volume = sharedLocks ? 'shared' : 'local'
  const lease = await takeLease(world, path, {
    owner: owner(run),
    volume,
    ...(sharedLocks && { sharedLocks }),
  })
  assert.ok(lease.kind === 'held', lease.kind)
  return lease
}

test('a second holder is told who has it, and gets it after the release', async () => {
  const world = simWorld()
  const first = await held(world, 'r1')
  const busy = await takeLease(world.another(), path, { owner: owner('r2'), volume: 'local' })
  assert.deepEqual(busy, { kind: 'busy', owner: owner('r1') })
  first.release()
  first.release()
  assert.equal((await held(world.another(), 'r2')).previous, undefined)
})

test('a holder that did not finish is told to the next', async () => {
  const world = simWorld()
  await held(world, 'r1')
  world.reboot('power')
  assert.deepEqual((await held(world, 'r2')).previous, owner('r1'))
})

test('nothing that stands in the owner file blocks a local lease', async () => {
  const forged = [
    JSON.stringify({ ...owner('x'), host: 'elsewhere' }),
    JSON.stringify(owner('recycled pid')),
    '',
    '{"pid"',
    '[]',
  ]
  for (const text of forged) {
    const world = simWorld({ files: { '.claw/leases/ainews.lease.owner': text } })
    assert.equal((await held(world, 'r1')).kind, 'held', text)
  }
})

test('a released or removed lease is lost, a clock step is nothing', async () => {
  const world = simWorld({ files: { '.claw/leases/ainews.lease': '' } })
  const lease = await held(world, 'r1')
  world.clock.set('2030-01-01T00:00:00Z')
  lease.assertHeld()
  world.disk.remove(path)
  assert.throws(
    () => lease.assertHeld(),
    error => isClawError(error, 'lease-lost'),
  )
  const second = await held(simWorld(), 'r2')
  second.release()
  assert.throws(
    () => second.assertHeld(),
    error => isClawError(error, 'lease-lost'),
  )
})

test('a lease survives a crash or an error at every call, and is never left held', async () => {
  const sweep = {
    start: () => simWorld(),
    act: async (world: SimWorld) => {
      const lease = await takeLease(world, path, { owner: owner('r1'), volume: 'local' })
      assert.equal(lease.kind, 'held')
      if (lease.kind === 'held') lease.release()
    },
    check: (world: SimWorld, where: string) => {
      assert.deepEqual(world.locks.held(), [], where)
      assert.equal(world.disk.text(`${path}.owner`), undefined, where)
    },
  }
  await sweepCrashes(sweep)
  await sweepErrors({
    ...sweep,
    acked: () => undefined,
    outcome: (outcome, where) => {
      if (outcome.kind === 'threw') assert.ok(isClawError(outcome.error, 'not-recorded', 'not-known'), where)
    },
  })
})

test('on a shared volume each holder gets a higher number, never used before', async () => {
  const world = simWorld()
  const locks = expiringLocks()
  for (let fence = 1; fence <= 20; fence++) {
    const lease = await held(world, `r${fence}`, locks)
    assert.equal(lease.fence, fence)
    lease.release()
    await Promise.resolve()
  }
  assert.ok((world.disk.list(`${path}.fence.d`)?.length ?? 99) <= 9)
})

test('a holder that slept through its lease learns it, and does not free the lock of the next', async () => {
  const world = simWorld()
  const locks = expiringLocks()
  const sleeper = await held(world, 'r1', locks)
  sleeper.assertHeld()
  locks.expire()
  const next = await held(world.another(), 'r2', locks)
  assert.throws(
    () => sleeper.assertHeld(),
    error => isClawError(error, 'lease-lost') && error.exitCode === 6,
  )
  sleeper.release()
  assert.equal(locks.released, 0)
  next.assertHeld()
  assert.deepEqual(next.previous, owner('r1'))
  const busy = await takeLease(world.another(), path, {
    owner: owner('r3'),
    volume: 'shared',
    sharedLocks: locks,
  })
  assert.deepEqual(busy, { kind: 'busy', owner: owner('r2') })
})

test('a compromised lock is lost even while nobody came after', async () => {
  const told: ((why: string) => void)[] = []
  const locks: SharedLocks = {
    acquire: async (_path, { onLost }) => {
      told.push(onLost)
      return { release: async () => undefined }
    },
  }
  const lease = await held(simWorld(), 'r1', locks)
  told[0]?.('not renewed in time')
  assert.throws(() => lease.assertHeld(), /not renewed in time/)
})

test('a shared lease survives a crash at every call', async () => {
  await sweepCrashes({
    start: () => simWorld(),
    act: async world => {
      const lease = await held(world, 'r1', expiringLocks())
      lease.assertHeld()
      lease.release()
    },
    check: (world, where) => assert.equal(world.disk.text(`${path}.owner`), undefined, where),
  })
})

test('an owner reads as a sentence', () => {
  assert.equal(
    ownerInWords(owner('r1')),
    'held by pid 42 on here since 2026-03-02T00:00:00.000Z (ainews/morning-digest)',
  )
  assert.equal(ownerInWords(undefined), 'held by another process')
})
