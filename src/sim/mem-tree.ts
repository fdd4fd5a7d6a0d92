import type { DiskCall } from './disk-fault.ts'
import {
  type DirInode,
  type FileInode,
  type Inode,
  type PowerLoss,
  copyTree,
  entriesOf,
  giveUpOn,
  losePower,
  makeDurable,
  setEntry,
  settle,
} from './mem-inode.ts'
import { appended } from './grown-bytes.ts'
import { type Place, forgetWays, locate, locateIfAny } from './mem-path.ts'
import type { Millis } from '../core/millis.ts'
import { type DirEntry, type Disk, DiskError, type FileStat } from '../world/disk.ts'

/** The platters: what every simulated process sees, and what survives lost power. Faults are `MemDisk`'s. */
export class MemTree implements Disk {
  now: () => Millis
  #root: DirInode
  #inodes = 1

  constructor(now: () => Millis) {
    this.now = now
    this.#root = emptyDir('mem:1', now())
  }

  copy(): MemTree {
    const fresh = new MemTree(this.now)
    fresh.#root = copyTree(this.#root)
    fresh.#inodes = this.#inodes
    return fresh
  }

  settle(): void {
    settle(this.#root)
  }

  losePower(loss: PowerLoss): void {
    losePower(this.#root, loss)
    forgetWays(this.#root)
  }

  /** The bytes themselves, which nobody may change. */
  read(path: string): Uint8Array | undefined {
    const node = this.#present('read', path)
    return node && fileAt(node, 'read', path).live
  }

  readRange(path: string, offset: number, length: number): Uint8Array | undefined {
    const node = this.#present('readRange', path)
    return node && fileAt(node, 'readRange', path).live.subarray(offset, offset + length)
  }

  stat(path: string): FileStat | undefined {
    const node = this.#present('stat', path)
    return node && statOf(node)
  }

  lstat(path: string): FileStat | undefined {
    const node = this.#placeIfAny({ call: 'lstat', path, follow: false })?.node
    return node && statOf(node)
  }

  list(path: string): DirEntry[] | undefined {
    const { node } = this.#placeIfAny({ call: 'list', path }, ['ENOENT']) ?? {}
    if (!node) return undefined
    return entriesOf(dirAt(node, 'list', path))
  }

  realpath(path: string): string | undefined {
    const place = this.#placeIfAny({ call: 'realpath', path })
    return place?.node && place.path
  }

  create(path: string, bytes: Uint8Array, mode = 0o600): boolean {
    const place = locate(this.#root, { call: 'create', path, follow: false })
    if (place.node) return false
    this.#enter(place, this.#newFile(bytes, mode))
    return true
  }

  append(path: string, bytes: Uint8Array): number {
    const place = locate(this.#root, { call: 'append', path })
    if (!place.node) this.#enter(place, this.#newFile(bytes, 0o600))
    else {
      const file = fileAt(place.node, 'append', path)
      this.#write(file, appended(file.live, bytes))
    }
    return bytes.length
  }

  truncate(path: string, sizeBytes: number): void {
    const file = fileAt(this.#need('truncate', path), 'truncate', path)
    const cut = new Uint8Array(sizeBytes)
    cut.set(file.live.subarray(0, sizeBytes))
    this.#write(file, cut)
    if (file.lost && file.lost.from >= sizeBytes) delete file.lost
  }

  link(from: string, to: string): boolean {
    const { node } = this.#source('link', from, to)
    const place = locate(this.#root, { call: 'link', path: to, follow: false })
    if (place.node) return false
    if (node.kind === 'directory') throw new DiskError('EPERM', 'link', to)
    this.#enter(place, node)
    return true
  }

  symlink(target: string, path: string): void {
    const place = locate(this.#root, { call: 'create', path, follow: false })
    if (place.node) throw new DiskError('EEXIST', 'create', path)
    forgetWays(this.#root)
    this.#enter(place, {
      kind: 'symlink',
      id: this.#nextId(),
      mode: 0o777,
      mtimeMs: this.now(),
      target,
    })
  }

  rename(from: string, to: string): void {
    const source = this.#source('rename', from, to)
    const target = locate(this.#root, { call: 'rename', path: to, follow: false })
    if (source.node === target.node) return
    if (target.path.startsWith(`${source.path}/`)) throw new DiskError('EINVAL', 'rename', to)
    if (target.node) refuseToReplace(source.node, target.node, to)
    if (source.node.kind !== 'file') forgetWays(this.#root)
    this.#leave(source)
    this.#enter(target, source.node)
  }

  remove(path: string): boolean {
    const place = locateOrAbsent(this.#root, { call: 'remove', path, follow: false })
    if (!place?.node) return false
    if (place.node.kind === 'directory') throw new DiskError('EISDIR', 'remove', path)
    this.#leave(place)
    return true
  }

  mkdir(path: string): void {
    const place = locate(this.#root, { call: 'mkdir', path, follow: false })
    if (!place.node) this.#enter(place, emptyDir(this.#nextId(), this.now()))
    else if (this.#present('mkdir', path)?.kind !== 'directory') throw new DiskError('EEXIST', 'mkdir', path)
  }

  rmdir(path: string): boolean {
    const place = locateOrAbsent(this.#root, { call: 'rmdir', path, follow: false })
    if (!place?.node) return false
    const dir = dirAt(place.node, 'rmdir', path)
    if (dir.live.size > 0) throw new DiskError('ENOTEMPTY', 'rmdir', path)
    dir.isGone = true
    this.#leave(place)
    return true
  }

  chmod(path: string, mode: number): void {
    this.#need('chmod', path).mode = mode
  }

  sync(path: string): void {
    makeDurable(this.#need('sync', path))
  }

  /** An fsync that reports failure. */
  failSync(path: string): void {
    giveUpOn(this.#need('sync', path))
  }

  #present(call: DiskCall, path: string): Inode | undefined {
    return this.#placeIfAny({ call, path })?.node
  }

  #placeIfAny(lookup: Parameters<typeof locate>[1], absent = ['ENOENT', 'ENOTDIR']): Place | undefined {
    return locateOrAbsent(this.#root, lookup, absent)
  }

  #need(call: DiskCall, path: string): Inode {
    const { node } = locate(this.#root, { call, path })
    if (!node) throw new DiskError('ENOENT', call, path)
    return node
  }

  /** What has two paths reports the second, as the real disk does. */
  #source(call: DiskCall, from: string, to: string): Place & { node: Inode } {
    const place = locate(this.#root, { call, path: from, follow: false })
    if (!place.node) throw new DiskError('ENOENT', call, to)
    return { ...place, node: place.node }
  }

  #newFile(bytes: Uint8Array, mode: number): FileInode {
    const live = new Uint8Array(bytes)
    return {
      kind: 'file',
      id: this.#nextId(),
      mode,
      mtimeMs: this.now(),
      live,
      durable: noBytes,
    }
  }

  #write(file: FileInode, bytes: Uint8Array): void {
    file.live = bytes
    file.mtimeMs = this.now()
  }

  #enter({ parent, name }: Place, node: Inode): void {
    setEntry(parent, name, node)
    parent.mtimeMs = this.now()
  }

  #leave({ parent, name }: Place): void {
    setEntry(parent, name, undefined)
    parent.mtimeMs = this.now()
  }

  #nextId(): string {
    this.#inodes += 1
    return `mem:${this.#inodes}`
  }
}

function locateOrAbsent(
  root: DirInode,
  lookup: Parameters<typeof locate>[1],
  absent: readonly string[] = ['ENOENT'],
): Place | undefined {
  try {
    const place = locateIfAny(root, lookup)
    return place === 'absent' ? undefined : place
  } catch (error) {
    if (error instanceof DiskError && absent.includes(error.code)) return undefined
    throw error
  }
}

function refuseToReplace(source: Inode, target: Inode, path: string): void {
  if (target.kind === 'directory') {
    if (source.kind !== 'directory') throw new DiskError('EISDIR', 'rename', path)
    if (target.live.size > 0) throw new DiskError('ENOTEMPTY', 'rename', path)
  } else if (source.kind === 'directory') throw new DiskError('ENOTDIR', 'rename', path)
}

const noBytes = new Uint8Array(0)

function emptyDir(id: string, mtimeMs: Millis): DirInode {
  return {
    kind: 'directory',
    id,
    mode: 0o700,
    mtimeMs,
    live: new Map(),
    unsynced: new Map(),
    isGone: false,
  }
}

function fileAt(node: Inode, call: DiskCall, path: string): FileInode {
  if (node.kind !== 'file') throw new DiskError('EISDIR', call, path)
  return node
}

function dirAt(node: Inode, call: DiskCall, path: string): DirInode {
  if (node.kind !== 'directory') throw new DiskError('ENOTDIR', call, path)
  return node
}

function statOf(node: Inode): FileStat {
  return {
    kind: node.kind,
    sizeBytes: node.kind === 'file' ? node.live.length : 0,
    mtimeMs: node.mtimeMs,
    id: node.id,
    mode: node.mode,
  }
}
