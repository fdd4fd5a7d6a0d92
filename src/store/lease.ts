import { dirname } from 'node:path'
import type { SharedLocks } from '../world/shared-locks.ts'
import { ensureDir } from './atomic-file.ts'
import type { Lease, LeaseBusy, LeaseWorld } from './lease/held-lease.ts'
import { takeLocalLease } from './lease/lease-local.ts'
import type { LeaseOwner } from './lease-owner.ts'
import { takeSharedLease } from './lease/lease-shared.ts'

export type { Lease, LeaseBusy } from './lease/held-lease.ts'
export type { LeaseOwner } from './lease-owner.ts'

export interface LeaseOptions {
  /** Told of the holder before, when that one did not release. */
  owner: LeaseOwner | ((previous: LeaseOwner | undefined) => LeaseOwner)
  /** `shared` when several hosts work on this volume. */
  volume: 'local' | 'shared'
  /** Needed for a shared volume. */
  sharedLocks?: SharedLocks
  /** Shared volume only: an unrenewed lease may be taken after so long. Default 30,000; at least 2,000. */
  staleMs?: number
}

/**
 * One try. On a local volume it is a kernel lock on `path`, which no sleep,
 * clock step or recycled pid can take away, and nothing that is written in a file
 * can block; `<path>.owner` is for people. On a shared volume it is renewed and
 * expires, and a fencing number tells a holder that slept through it. Between
 * `assertHeld` and the write that follows there remains a gap on a shared volume.
 * Throws `not-recorded`.
 */
export async function takeLease(
  world: LeaseWorld,
  path: string,
  options: LeaseOptions,
): Promise<Lease | LeaseBusy> {
  ensureDir(world.disk, dirname(path))
  const { volume, sharedLocks, staleMs = 30_000 } = options
  const given = options.owner
  const owner = typeof given === 'function' ? given : () => given
  if (volume === 'local') return takeLocalLease(world, path, owner)
  if (sharedLocks === undefined) throw new Error('a lease on a shared volume needs `sharedLocks`')
  return takeSharedLease(world, path, { owner, sharedLocks, staleMs })
}
