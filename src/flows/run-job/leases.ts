import { type ErrorCode, isClawError } from '../../core/claw-error.ts'
import type { Lease } from '../../store/lease.ts'

/** After these nothing can be recorded, or not for sure: the next run tells what became of this one, and repeats it. */
const unrecorded: readonly ErrorCode[] = ['not-recorded', 'not-known', 'lease-lost', 'busy']

/** An end that leaves no record: the disk refused, or it is a bug. */
export function isUnrecorded(error: unknown): boolean {
  return !isClawError(error) || isClawError(error, ...unrecorded)
}

/** Released, last one first; after an end that left no record the holder stays named in them. */
export function endLeases(leases: readonly Lease[], error?: unknown): void {
  for (const lease of leases.toReversed()) {
    if (error !== undefined && isUnrecorded(error)) lease.abandon()
    else lease.release()
  }
}

/** Runs the body while the leases are held. */
export async function withLeases<T>(leases: readonly Lease[], body: () => Promise<T>): Promise<T> {
  try {
    const result = await body()
    endLeases(leases)
    return result
  } catch (error) {
    endLeases(leases, error)
    throw error
  }
}
