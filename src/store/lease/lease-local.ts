import type { Disk } from '../../world/disk.ts'
import { type Lease, type LeaseBusy, type LeaseWorld, leaseLost } from './held-lease.ts'
import { type OwnerAfter, readOwner, removeOwner, writeOwner } from '../lease-owner.ts'
import { orNotRecorded } from '../recorded.ts'

/** A kernel lock, held by the open file of this process. */
export function takeLocalLease(world: LeaseWorld, path: string, owner: OwnerAfter): Lease | LeaseBusy {
  const { disk, locks } = world
  const handle = orNotRecorded(path, () => locks.tryLock(path))
  if (handle === undefined) return { kind: 'busy', owner: readOwner(disk, path) }
  let isOver = false
  try {
    const previous = readOwner(disk, path)
    const lockedFile = fileId(disk, path)
    writeOwner(world, path, owner(previous))
    return {
      kind: 'held',
      fence: 0,
      previous,
      assertHeld() {
        if (isOver) throw leaseLost(path, 'it was released')
        // A lock file that someone removed no longer keeps others out.
        if (fileId(disk, path) !== lockedFile) throw leaseLost(path, 'its file was removed or replaced')
      },
      release() {
        if (isOver) return
        isOver = true
        removeOwner(disk, path)
        handle.release()
      },
      abandon() {
        if (isOver) return
        isOver = true
        handle.release()
      },
    }
  } catch (error) {
    handle.release()
    throw error
  }
}

function fileId(disk: Disk, path: string): string | undefined {
  return orNotRecorded(path, () => disk.stat(path)?.id)
}
