import { leaseFile } from '../../records/paths.ts'
import type { LeaseSetup } from '../named-lease.ts'

/** As a run takes it, in milliseconds; see `LeaseOptions.staleMs`. */
const staleMs = 30_000

/**
 * Runs the body while nobody else holds this lease; undefined when somebody
 * does. No owner is written: what a dead holder left stays readable, and a run that
 * comes in between looks twice.
 */
export async function whileFree<T>(
  { world, root, ports, config }: LeaseSetup,
  name: string,
  body: () => T | Promise<T>,
): Promise<T | undefined> {
  const path = leaseFile(root, name)
  const locks = config.volume === 'shared' ? await ports.sharedLocks() : undefined
  const held = locks ? await locks.acquire(path, { staleMs, onLost: () => {} }) : world.locks.tryLock(path)
  if (!held) return undefined
  try {
    return await body()
  } finally {
    await held.release()
  }
}

/** Nothing is made by asking: a lease that has no file was never taken. */
export async function isHeld(setup: LeaseSetup, name: string): Promise<boolean> {
  if (!setup.world.disk.stat(leaseFile(setup.root, name))) return false
  return (await whileFree(setup, name, () => true)) === undefined
}
