import { dirname } from 'node:path'
import { orNotRecorded } from '../../../store/recorded.ts'
import type { Disk } from '../../../world/disk.ts'

/** Removes files and makes that durable; returns how many there were. Throws `not-recorded`; the rest goes another day. */
export function removeAll(disk: Disk, paths: readonly string[]): number {
  const folders = new Set<string>()
  let count = 0
  for (const path of paths) {
    if (!orNotRecorded(path, () => disk.remove(path))) continue
    count += 1
    folders.add(dirname(path))
  }
  for (const folder of folders) orNotRecorded(folder, () => disk.sync(folder))
  return count
}
