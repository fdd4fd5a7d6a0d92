export type EntryKind = 'file' | 'directory' | 'symlink' | 'other'

export interface FileStat {
  kind: EntryKind
  sizeBytes: number
  /** Milliseconds since the epoch, as the file system tells it. */
  mtimeMs: number
  /** Device and inode as text: two stats with equal `id` are one file. */
  id: string
  /** Permission bits, e.g. 0o600. */
  mode: number
}

export interface DirEntry {
  name: string
  kind: EntryKind
}

/**
 * System calls and nothing smarter; cleverness belongs to `store`, where faults
 * can reach it. Synchronous, so that a critical section holds no await and can
 * be crashed at every numbered call.
 *
 * Paths are absolute. Every failure other than the ones named below throws a
 * `DiskError` with the errno name in `code` (ENOSPC, EIO, EDQUOT, EROFS, ...).
 * Files are made 0600 and directories 0700 unless a mode is given.
 */
export interface Disk {
  /** Whole file; undefined when absent. Follows symlinks. */
  read(path: string): Uint8Array | undefined
  /** `length` bytes from `offset`, fewer at the end; undefined when absent. */
  readRange(path: string, offset: number, length: number): Uint8Array | undefined
  /** Follows symlinks; undefined when absent (also for a dangling link). */
  stat(path: string): FileStat | undefined
  /** Does not follow; undefined when absent. */
  lstat(path: string): FileStat | undefined
  /** Sorted by name; undefined when the directory is absent. */
  list(path: string): DirEntry[] | undefined
  /** The path with all links resolved; undefined when absent. */
  realpath(path: string): string | undefined

  /**
   * Exclusive create with these bytes. False when the path exists (also as a
   * dangling link). May write short and then throws with what it wrote left behind.
   */
  create(path: string, bytes: Uint8Array, mode?: number): boolean
  /**
   * One write(2) at the end of the file, made when absent. Returns how many bytes
   * were written, which may be fewer than given.
   */
  append(path: string, bytes: Uint8Array): number
  /** Cuts the file to `sizeBytes`. */
  truncate(path: string, sizeBytes: number): void
  /** Hard link. False when `to` exists. */
  link(from: string, to: string): boolean
  rename(from: string, to: string): void
  /** False when there was nothing to remove. */
  remove(path: string): boolean
  /** One directory; fine when it exists, throws ENOENT when the parent is absent. */
  mkdir(path: string): void
  /** False when absent; throws ENOTEMPTY when not empty. */
  rmdir(path: string): boolean
  chmod(path: string, mode: number): void
  /** fsync of a file, or of a directory's entries. */
  sync(path: string): void
}

/** What a failed disk call throws; `code` is the errno name. */
export class DiskError extends Error {
  readonly code: string
  readonly path: string
  readonly call: string

  constructor(code: string, call: string, path: string, cause?: unknown) {
    super(`${code}: ${call} ${path}`, cause === undefined ? undefined : { cause })
    this.name = 'DiskError'
    this.code = code
    this.call = call
    this.path = path
  }
}
