import type { DirEntry } from '../world/disk.ts'
import { EntryNames } from './entry-names.ts'

export interface FileInode {
  kind: 'file'
  id: string
  mode: number
  mtimeMs: number
  /** Never changed in place, so that copies and readers may share it. */
  live: Uint8Array
  durable: Uint8Array
  /** Bytes that a failed fsync gave up on: the kernel takes them for written from then on. */
  lost?: { from: number; to: number }
}

export interface DirInode {
  kind: 'directory'
  id: string
  mode: number
  mtimeMs: number
  live: Map<string, Inode>
  /** What the names that changed since the last sync stood for then; undefined: nothing. */
  unsynced: Map<string, Inode | undefined>
  /** Names of `live`, in order; made when somebody lists them. */
  names?: EntryNames
  /** It was removed: no path leads here any more. */
  isGone: boolean
}

export interface LinkInode {
  kind: 'symlink'
  id: string
  mode: number
  mtimeMs: number
  target: string
}

export type Inode = FileInode | DirInode | LinkInode

/**
 * What a power cut leaves of what was not synced. `power`: nothing. With
 * `power-entries` the journal had committed the names but not the bytes, with
 * `power-torn` the names, the new length and half of the new bytes, the rest NUL.
 */
export type PowerLoss = 'power' | 'power-entries' | 'power-torn'

/** Undefined takes the name away. */
export function setEntry(dir: DirInode, name: string, node: Inode | undefined): void {
  const before = dir.live.get(name)
  if (!dir.unsynced.has(name)) dir.unsynced.set(name, before)
  if (node) dir.live.set(name, node)
  else dir.live.delete(name)
  if (before?.kind !== node?.kind) dir.names?.change(name, node?.kind)
}

/** By name; the array is the caller's own. */
export function entriesOf(dir: DirInode): DirEntry[] {
  dir.names ??= new EntryNames([...dir.live].map(([name, { kind }]) => ({ name, kind })))
  return dir.names.all()
}

/** The entries that are left after lost power. */
function durableEntries({ live, unsynced }: DirInode): Map<string, Inode> {
  const entries = new Map(live)
  for (const [name, node] of unsynced) {
    if (node) entries.set(name, node)
    else entries.delete(name)
  }
  return entries
}

/** fsync that works. Bytes given up by an earlier failed one stay lost. */
export function makeDurable(node: Inode): void {
  if (node.kind === 'directory') node.unsynced.clear()
  if (node.kind === 'file') node.durable = node.lost ? withNuls(node.live, node.lost) : node.live
}

/** fsync that fails: the dirty pages are marked clean, so a repeat succeeds and saves nothing. */
export function giveUpOn(node: Inode): void {
  if (node.kind !== 'file' || node.live === node.durable) return
  node.lost = { from: sharedPrefix(node.live, node.durable), to: node.live.length }
}

/** Everything reachable becomes durable. */
export function settle(root: DirInode): void {
  for (const node of reachable(root)) {
    if (node.kind === 'file') delete node.lost
    makeDurable(node)
  }
}

export function losePower(root: DirInode, loss: PowerLoss): void {
  if (loss === 'power') {
    for (const node of reachable(root, 'durable')) {
      if (node.kind === 'directory') takeBack(node)
      if (node.kind === 'file') node.live = node.durable
    }
  } else {
    for (const node of reachable(root)) {
      if (node.kind === 'file') node.live = loss === 'power-torn' ? halfSaved(node) : node.durable
    }
  }
  settle(root)
}

/** Also of a folder that was removed. */
function takeBack(dir: DirInode): void {
  dir.live = durableEntries(dir)
  dir.isGone = false
  delete dir.names
}

/** A copy of the graph in which hard links stay hard links; bytes are shared. */
export function copyTree(root: DirInode): DirInode {
  const copies = new Map<Inode, Inode>()
  const copy = <T extends Inode>(node: T): T => {
    const known = copies.get(node)
    if (known) return known as T
    const fresh = { ...node }
    copies.set(node, fresh)
    if (fresh.kind === 'directory') {
      fresh.live = new Map([...fresh.live].map(([name, entry]) => [name, copy(entry)]))
      fresh.unsynced = new Map([...fresh.unsynced].map(([name, entry]) => [name, entry && copy(entry)]))
      delete fresh.names
    }
    return fresh
  }
  return copy(root)
}

function reachable(root: DirInode, side: 'live' | 'durable' = 'live'): Set<Inode> {
  const seen = new Set<Inode>([root])
  for (const node of seen) {
    if (node.kind !== 'directory') continue
    const entries = side === 'live' ? node.live : durableEntries(node)
    for (const child of entries.values()) seen.add(child)
  }
  return seen
}

function halfSaved(node: FileInode): Uint8Array {
  const from = sharedPrefix(node.live, node.durable)
  if (from === node.live.length) return node.live
  const middle = from + Math.floor((node.live.length - from) / 2)
  return withNuls(node.live, { from: node.lost?.from ?? middle, to: node.live.length })
}

function withNuls(bytes: Uint8Array, { from, to }: { from: number; to: number }): Uint8Array {
  return Uint8Array.from(bytes).fill(0, from, to)
}

function sharedPrefix(a: Uint8Array, b: Uint8Array): number {
  const limit = Math.min(a.length, b.length)
  let length = 0
  while (length < limit && a[length] === b[length]) length += 1
  return length
}
