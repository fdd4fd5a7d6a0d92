/** A kernel lock that this process holds. */
export interface LockHandle {
  /** Frees the lock; the file stays. Repeating it is harmless. */
  release(): void
}

/**
 * Kernel locks on never-deleted files: freed when the holder dies, kept while it
 * sleeps, blind to clocks and recycled pids (shared/reference/libraries.md section 3).
 */
export interface Locks {
  /** One non-blocking try. Undefined when another open file holds it. */
  tryLock(path: string): LockHandle | undefined
}
