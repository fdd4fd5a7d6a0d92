import type { SharedLock, SharedLocks } from '../../world/shared-locks.ts'
import { claimFence, highestFence } from './fence.ts'
import { type Lease, type LeaseBusy, type LeaseWorld, leaseLost } from './held-lease.ts'
import { type LeaseOwner, type OwnerAfter, readOwner, removeOwner, writeOwner } from '../lease-owner.ts'
import { notRecorded } from '../recorded.ts'

interface SharedLeaseOptions {
  owner: OwnerAfter
  sharedLocks: SharedLocks
  staleMs: number
}

/** A lock that expires, and a number that tells who came last. */
export async function takeSharedLease(
  world: LeaseWorld,
  path: string,
  { owner, sharedLocks, staleMs }: SharedLeaseOptions,
): Promise<Lease | LeaseBusy> {
  let lost: string | undefined
  const lock = await tryShared(sharedLocks, path, staleMs, why => (lost = why))
  if (lock === undefined) return { kind: 'busy', owner: readOwner(world.disk, path) }
  try {
    const previous = readOwner(world.disk, path)
    const own = owner(previous)
    const fence = claimFence(world.disk, path, own)
    writeOwner(world, path, own)
    return sharedLease(world, path, { lock, fence, previous, why: () => lost })
  } catch (error) {
    await lock.release()
    throw error
  }
}

interface Taken {
  lock: SharedLock
  fence: number
  previous: LeaseOwner | undefined
  /** Why the lock was lost, once it is. */
  why: () => string | undefined
}

function sharedLease({ disk }: LeaseWorld, path: string, { lock, fence, previous, why }: Taken): Lease {
  let isOver = false
  const isLast = () => highestFence(disk, path) === fence
  return {
    kind: 'held',
    fence,
    previous,
    assertHeld() {
      if (isOver) throw leaseLost(path, 'it was released')
      const compromised = why()
      if (compromised !== undefined) throw leaseLost(path, compromised)
      if (!isLast()) throw leaseLost(path, 'another holder came after it')
    },
    release() {
      if (isOver) return
      isOver = true
      // Releasing a lock that another has taken would free it under their feet.
      if (why() !== undefined || !isSurelyLast(isLast)) return
      removeOwner(disk, path)
      void lock.release()
    },
    abandon() {
      if (isOver) return
      isOver = true
      if (why() === undefined && isSurelyLast(isLast)) void lock.release()
    },
  }
}

function isSurelyLast(isLast: () => boolean): boolean {
  try {
    return isLast()
  } catch {
    return false
  }
}

async function tryShared(
  sharedLocks: SharedLocks,
  path: string,
  staleMs: number,
  onLost: (why: string) => void,
): Promise<SharedLock | undefined> {
  try {
    return await sharedLocks.acquire(path, { staleMs, onLost })
  } catch (error) {
    throw notRecorded(error, path)
  }
}
