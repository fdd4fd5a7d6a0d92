export interface FileInode {
  kind: 'file'
  ino: number
  mode: number
  mtimeMs: number
  /** Never changed in place, so that copies may share it. */
  live: Uint8Array
  durable: Uint8Array
  /** Bytes that a failed fsync gave up on: the kernel takes them for written from then on. */
  lost?: { from: number; to: number }
}

export interface DirInode {
  kind: 'directory'
  ino: number
  mode: number
  mtimeMs: number
  live: Map<string, Inode>
  durable: Map<string, Inode>
}

export interface LinkInode {
  kind: 'symlink'
  ino: number
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

/** fsync that works. Bytes given up by an earlier failed one stay lost. */
export function makeDurable(node: Inode): void {
  if (node.kind === 'directory') node.durable = new Map(node.live)
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
      if (node.kind === 'directory') node.live = new Map(node.durable)
      if (node.kind === 'file') node.live = node.durable
    }
  } else {
    for (const node of reachable(root)) {
      if (node.kind === 'file') node.live = loss === 'power-torn' ? halfSaved(node) : node.durable
    }
  }
  settle(root)
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
      fresh.live = copyEntries(fresh.live)
      fresh.durable = copyEntries(fresh.durable)
    }
    return fresh
  }
  const copyEntries = (entries: Map<string, Inode>) =>
    new Map([...entries].map(([name, node]) => [name, copy(node)]))
  return copy(root)
}

function reachable(root: DirInode, side: 'live' | 'durable' = 'live'): Set<Inode> {
  const seen = new Set<Inode>([root])
  for (const node of seen) {
    if (node.kind === 'directory') for (const child of node[side].values()) seen.add(child)
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
