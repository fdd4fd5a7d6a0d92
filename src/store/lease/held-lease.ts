import { basename } from 'node:path'
import { ClawError } from '../../core/claw-error.ts'
import type { World } from '../../world/world.ts'
import type { LeaseOwner } from '../lease-owner.ts'

/** "This session is being used", "this job is running": held for the life of the process, or until released. */
export interface Lease {
  kind: 'held'
  /** Greater than that of every earlier holder on a shared volume; 0 on a local one, where the kernel fences. */
  fence: number
  /** Throws `lease-lost` when another may hold it by now. To be asked before each write that it guards. */
  assertHeld(): void
  /** Never throws; repeating it is harmless. */
  release(): void
  /**
   * As `release`, but the owner stays named, as a crash would leave it: the next
   * holder gets it as `previous`. For an end that could not be recorded.
   */
  abandon(): void
  /** Of a holder that did not release: it crashed, or the power failed. */
  previous: LeaseOwner | undefined
}

export interface LeaseBusy {
  kind: 'busy'
  /** As the holder wrote it, for people; undefined when that cannot be read. */
  owner: LeaseOwner | undefined
}

export type LeaseWorld = Pick<World, 'disk' | 'locks' | 'clock' | 'random' | 'host'>

export function leaseLost(path: string, why: string): ClawError {
  return new ClawError('lease-lost', `the lease ${basename(path)} is lost: ${why}; nothing more is written`)
}
