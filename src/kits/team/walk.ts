import { type Disk, DiskError } from '../../world/disk.ts'

export interface WalkedFile {
  /** Relative to where the walk began. */
  path: string
  sizeBytes: number
  mtimeMs: number
}

export interface WalkOptions {
  /** After so many files the walk ends. */
  maxFiles: number
  /** True for a folder or file that is passed over; `path` is relative. */
  isLeftOut?: (path: string, kind: 'file' | 'directory') => boolean
}

export interface Walk {
  files: WalkedFile[]
  /** False when there was more than `maxFiles`. */
  isComplete: boolean
  /** Paths that could not be read. */
  unread: string[]
}

/** Regular files below a folder, in order of path; links are not followed. An absent folder has none. */
export function walk(disk: Disk, folder: string, { maxFiles, isLeftOut }: WalkOptions): Walk {
  const found: Walk = { files: [], isComplete: true, unread: [] }
  const pending = ['']
  for (let below = pending.pop(); below !== undefined; below = pending.pop()) {
    const folders: string[] = []
    for (const { name, kind } of listed(disk, folder, below, found)) {
      const path = below === '' ? name : `${below}/${name}`
      if (kind !== 'file' && kind !== 'directory') continue
      if (isLeftOut?.(path, kind)) continue
      if (kind === 'directory') folders.push(path)
      else if (found.files.length < maxFiles) addFile(disk, folder, path, found)
      else {
        found.isComplete = false
        return found
      }
    }
    pending.push(...folders.reverse())
  }
  return found
}

function listed(
  disk: Disk,
  folder: string,
  below: string,
  { unread }: Walk,
): ReturnType<Disk['list']> & object {
  try {
    return disk.list(below === '' ? folder : `${folder}/${below}`) ?? []
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    unread.push(below)
    return []
  }
}

function addFile(disk: Disk, folder: string, path: string, { files, unread }: Walk): void {
  try {
    const stat = disk.lstat(`${folder}/${path}`)
    if (stat) files.push({ path, sizeBytes: stat.sizeBytes, mtimeMs: stat.mtimeMs })
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    unread.push(path)
  }
}
