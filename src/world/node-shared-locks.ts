import { DiskError } from './disk.ts'
import type { SharedLockOptions, SharedLocks } from './shared-locks.ts'

/** proper-lockfile, contained: it is loaded at the first lock, and losing one calls back instead of ending the process. */
export function nodeSharedLocks(): SharedLocks {
  return { acquire }
}

async function acquire(path: string, { staleMs, onLost }: SharedLockOptions) {
  const { default: lockfile } = await import('proper-lockfile')
  try {
    const release = await lockfile.lock(path, {
      realpath: false,
      stale: staleMs,
      update: Math.floor(staleMs / 3),
      retries: 0,
      onCompromised: error => onLost(error.message),
    })
    return { release: () => forgiving(release) }
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ELOCKED') return undefined
    throw new DiskError(code, 'lock', path, error)
  }
}

/** A lock that is gone already needs no release. */
async function forgiving(release: () => Promise<void>): Promise<void> {
  try {
    await release()
  } catch {
    // Released, lost or removed by hand: in each case it is not ours any more.
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'EUNKNOWN'
}
