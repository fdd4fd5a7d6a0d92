import * as fs from 'node:fs'
import { type DirEntry, type Disk, DiskError, type EntryKind, type FileStat } from './disk.ts'
import { errnoName, readCall, systemCall } from './node-errno.ts'

const fileMode = 0o600
const folderMode = 0o700

/** What a file system answers that cannot sync a directory. */
const cannotSyncFolders = new Set(['EINVAL', 'ENOTSUP', 'EOPNOTSUPP'])

const exactly = { bigint: true, throwIfNoEntry: false } as const

export const nodeDisk: Disk = {
  read: path => readCall('read', path, () => unless(['ENOENT', 'ENOTDIR'], () => fs.readFileSync(path))),

  readRange: (path, offset, length) =>
    readCall('readRange', path, () => unless(['ENOENT', 'ENOTDIR'], () => readPart(path, offset, length))),

  stat: path => readCall('stat', path, () => statOf(unless(['ENOTDIR'], () => fs.statSync(path, exactly)))),

  lstat: path =>
    readCall('lstat', path, () => statOf(unless(['ENOTDIR'], () => fs.lstatSync(path, exactly)))),

  list: path => readCall('list', path, () => unless(['ENOENT'], () => entriesOf(path))),

  realpath: path =>
    readCall('realpath', path, () => unless(['ENOENT', 'ENOTDIR'], () => fs.realpathSync.native(path))),

  create: (path, bytes, mode = fileMode) =>
    systemCall('create', path, () => {
      const fd = unless(['EEXIST'], () => fs.openSync(path, 'wx', mode))
      if (fd === undefined) return false
      withOpen(fd, () => writeAll(fd, bytes, path))
      return true
    }),

  append: (path, bytes) =>
    systemCall('append', path, () => {
      const fd = fs.openSync(path, 'a', fileMode)
      return withOpen(fd, () => fs.writeSync(fd, bytes))
    }),

  truncate: (path, sizeBytes) => systemCall('truncate', path, () => fs.truncateSync(path, sizeBytes)),

  link: (from, to) => systemCall('link', to, () => done(['EEXIST'], () => fs.linkSync(from, to))),

  rename: (from, to) => systemCall('rename', to, () => fs.renameSync(from, to)),

  remove: path => systemCall('remove', path, () => done(['ENOENT'], () => fs.unlinkSync(path))),

  mkdir: path =>
    systemCall('mkdir', path, () => {
      if (done(['EEXIST'], () => fs.mkdirSync(path, folderMode))) return
      if (!fs.statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
        throw new DiskError('EEXIST', 'mkdir', path)
      }
    }),

  rmdir: path => systemCall('rmdir', path, () => done(['ENOENT'], () => fs.rmdirSync(path))),

  chmod: (path, mode) => systemCall('chmod', path, () => fs.chmodSync(path, mode)),

  sync: path =>
    systemCall('sync', path, () => {
      const fd = fs.openSync(path, 'r')
      withOpen(fd, () => {
        try {
          fs.fsyncSync(fd)
        } catch (error) {
          if (!cannotSyncFolders.has(errnoName(error) ?? '') || !fs.fstatSync(fd).isDirectory()) throw error
        }
      })
    }),
}

/** Undefined in place of these failures. */
function unless<T>(codes: readonly string[], body: () => T): T | undefined {
  try {
    return body()
  } catch (error) {
    if (codes.includes(errnoName(error) ?? '')) return undefined
    throw error
  }
}

/** False in place of these failures. */
function done(codes: readonly string[], body: () => void): boolean {
  return (
    unless(codes, () => {
      body()
      return true
    }) ?? false
  )
}

/** Closes in every case. A failed close counts, since some file systems report the write there. */
function withOpen<T>(fd: number, body: () => T): T {
  let result: T
  try {
    result = body()
  } catch (error) {
    unless(['EIO', 'EBADF', 'ENOSPC', 'EDQUOT'], () => fs.closeSync(fd))
    throw error
  }
  fs.closeSync(fd)
  return result
}

function writeAll(fd: number, bytes: Uint8Array, path: string): void {
  for (let from = 0; from < bytes.length;) {
    const written = fs.writeSync(fd, bytes, from)
    if (written === 0) throw new DiskError('EIO', 'create', path)
    from += written
  }
}

function readPart(path: string, offset: number, length: number): Uint8Array {
  const fd = fs.openSync(path, 'r')
  return withOpen(fd, () => {
    const { size } = fs.fstatSync(fd)
    const bytes = new Uint8Array(Math.max(0, Math.min(length, size - offset)))
    let filled = 0
    while (filled < bytes.length) {
      const count = fs.readSync(fd, bytes, filled, bytes.length - filled, offset + filled)
      if (count === 0) break
      filled += count
    }
    return bytes.subarray(0, filled)
  })
}

function entriesOf(path: string): DirEntry[] {
  return fs
    .readdirSync(path, { withFileTypes: true })
    .map(entry => ({ name: entry.name, kind: kindOf(entry) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

function statOf(stat: fs.BigIntStats | undefined): FileStat | undefined {
  return (
    stat && {
      kind: kindOf(stat),
      sizeBytes: Number(stat.size),
      mtimeMs: Number(stat.mtimeNs / 1000n) / 1000,
      id: `${stat.dev}:${stat.ino}`,
      mode: Number(stat.mode) & 0o777,
    }
  )
}

function kindOf(entry: Pick<fs.Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): EntryKind {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'symlink' : 'other'
}
