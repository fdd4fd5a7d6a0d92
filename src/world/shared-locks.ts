export interface SharedLockOptions {
  /** A lock that was not renewed for so long may be taken by another host. */
  staleMs: number
  /** Told at most once when the lock may have been taken by another; never throws. */
  onLost: (why: string) => void
}

export interface SharedLock {
  release(): Promise<void>
}

/**
 * Locks on a volume that several hosts share, where no kernel sees all owners.
 * They are renewed and expire, so two may believe to hold one: what they guard
 * needs a fencing number besides.
 */
export interface SharedLocks {
  /** One try; undefined when another holds it. Throws `DiskError`. */
  acquire(path: string, options: SharedLockOptions): Promise<SharedLock | undefined>
}
