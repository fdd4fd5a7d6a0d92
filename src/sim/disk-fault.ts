import type { Disk } from '../world/disk.ts'

export type DiskCall = keyof Disk

export type Errno = 'ENOSPC' | 'EIO' | 'EDQUOT' | 'EROFS'

/**
 * What goes wrong at one call. `kill` and `power` die before it, `kill-after`
 * after it, `torn` halfway through its bytes. `short` writes half: an append
 * returns the count, a create throws ENOSPC and leaves the half behind.
 */
export type FaultKind = 'kill' | 'kill-after' | 'torn' | 'power' | 'short' | Errno

export interface DiskFault {
  /** Number of the call, as in `calls`; the first is 1. */
  at: number
  kind: FaultKind
  /** An error that stays: each later call that it can hit fails too. */
  sticky?: boolean
}

/** Calls that change what is on the disk, or what survives; crash points are counted among these. */
export const mutatingCalls: ReadonlySet<DiskCall> = new Set<DiskCall>([
  'create',
  'append',
  'truncate',
  'link',
  'rename',
  'remove',
  'mkdir',
  'rmdir',
  'chmod',
  'sync',
])

const writesBytes: ReadonlySet<DiskCall> = new Set<DiskCall>(['create', 'append'])

/** Removing and cutting need no space; a delayed allocation may fail as late as fsync. */
const needsSpace: ReadonlySet<DiskCall> = new Set<DiskCall>([
  'create',
  'append',
  'mkdir',
  'link',
  'rename',
  'sync',
])

/** Whether a real disk could answer this call with this fault. */
export function canHit(kind: FaultKind, call: DiskCall): boolean {
  switch (kind) {
    case 'torn':
    case 'short':
      return writesBytes.has(call)
    case 'ENOSPC':
    case 'EDQUOT':
      return needsSpace.has(call)
    case 'EROFS':
      return mutatingCalls.has(call) && call !== 'sync'
    case 'EIO':
      return true
    default:
      return mutatingCalls.has(call)
  }
}
