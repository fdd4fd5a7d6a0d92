import { dirname } from 'node:path'
import { type Disk, DiskError } from '../../world/disk.ts'
import type { World } from '../../world/world.ts'

/** The whole text or the old one, never a part; missing folders are made. Throws `DiskError` with nothing left behind. */
export function writeWhole(
  { disk, random }: Pick<World, 'disk' | 'random'>,
  path: string,
  text: string,
): void {
  makeFolders(disk, dirname(path))
  const draft = `${path}.${random.hex(8)}.draft`
  try {
    disk.create(draft, Buffer.from(text))
    disk.sync(draft)
    disk.rename(draft, path)
  } catch (error) {
    removeTree(disk, draft)
    throw error
  }
  disk.sync(dirname(path))
}

export function makeFolders(disk: Disk, path: string): void {
  if (disk.stat(path)?.kind === 'directory') return
  const parent = dirname(path)
  if (parent !== path) makeFolders(disk, parent)
  disk.mkdir(path)
}

/** A file, or a folder with all that is in it; links are removed, not followed. What cannot be removed stays. */
export function removeTree(disk: Disk, path: string): void {
  try {
    if (disk.lstat(path)?.kind !== 'directory') disk.remove(path)
    else {
      for (const { name } of disk.list(path) ?? []) removeTree(disk, `${path}/${name}`)
      disk.rmdir(path)
    }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
  }
}
