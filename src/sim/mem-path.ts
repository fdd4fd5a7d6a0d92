import { type DiskCall } from './disk-fault.ts'
import type { DirInode, Inode } from './mem-inode.ts'
import { DiskError } from '../world/disk.ts'

/** Where a path leads: the directory and name that hold it, and what is there. */
export interface Place {
  parent: DirInode
  name: string
  node: Inode | undefined
  /** Without links. */
  path: string
}

export interface Lookup {
  call: DiskCall
  path: string
  /** Whether a link as the last part is followed. Default true. */
  follow?: boolean
}

/** As in Linux, which answers ELOOP after 40. */
const maxLinks = 40

/** Throws ENOENT, ENOTDIR or ELOOP when the way there is broken; a missing last part is no error. */
export function locate(root: DirInode, lookup: Lookup): Place {
  const place = straight(root, lookup.path)
  return place === undefined || place === 'absent' ? winding(root, lookup) : place
}

/** The same without the price of an error: `absent` where a folder on the way there is missing. */
export function locateIfAny(root: DirInode, lookup: Lookup): Place | 'absent' {
  return straight(root, lookup.path) ?? winding(root, lookup)
}

/** The way of a plain path without links, as nearly all are; undefined for another. */
function straight(root: DirInode, path: string): Place | 'absent' | undefined {
  const slash = path.lastIndexOf('/')
  const parent = folderAt(root, path, slash)
  if (parent === undefined || parent === 'absent') return parent
  const name = path.slice(slash + 1)
  const node = parent.live.get(name)
  if (node?.kind === 'symlink' || !isName(name)) return undefined
  return { parent, name, node, path }
}

/** Folders that were reached on a plain way. */
interface Reached {
  folders: Map<string, DirInode>
  /** The last one: who reads a folder asks for its files one after another. */
  path: string
  dir: DirInode
}

const reached = new WeakMap<DirInode, Reached>()

/** To be called when a folder may no longer be where it was, or a link stands in the way. */
export function forgetWays(root: DirInode): void {
  reached.delete(root)
}

/** The folder of a path whose last slash stands there. */
function folderAt(root: DirInode, path: string, slash: number): DirInode | 'absent' | undefined {
  if (slash <= 0) return slash === 0 ? root : undefined
  let known = reached.get(root)
  if (known && !known.dir.isGone && known.path.length === slash && path.startsWith(known.path))
    return known.dir
  const folder = path.slice(0, slash)
  const before = known?.folders.get(folder)
  const dir = before && !before.isGone ? before : walk(root, folder)
  if (dir === undefined || dir === 'absent') return dir
  if (!known) reached.set(root, (known = { folders: new Map(), path: folder, dir }))
  if (dir !== before) known.folders.set(folder, dir)
  known.path = folder
  known.dir = dir
  return dir
}

function walk(root: DirInode, folder: string): DirInode | 'absent' | undefined {
  let dir = root
  for (const part of folder.slice(1).split('/')) {
    if (!isName(part)) return undefined
    const node = dir.live.get(part)
    if (!node) return 'absent'
    if (node.kind !== 'directory') return undefined
    dir = node
  }
  return folder.startsWith('/') ? dir : undefined
}

function isName(part: string): boolean {
  return part !== '' && part !== '.' && part !== '..'
}

function winding(root: DirInode, { call, path, follow = true }: Lookup): Place {
  const way: { name: string; dir: DirInode }[] = [{ name: '', dir: root }]
  let pending = partsOf(path)
  let links = 0
  for (let at = 0; at < pending.length;) {
    const part = pending[at]!
    at += 1
    if (part === '..') {
      if (way.length > 1) way.pop()
      continue
    }
    const { dir } = way.at(-1)!
    const node = dir.live.get(part)
    const isLast = at === pending.length
    if (node?.kind === 'symlink' && (follow || !isLast)) {
      links += 1
      if (links > maxLinks) throw new DiskError('ELOOP', call, path)
      if (node.target.startsWith('/')) way.length = 1
      pending = [...partsOf(node.target), ...pending.slice(at)]
      at = 0
      continue
    }
    if (isLast) return { parent: dir, name: part, node, path: pathOf([...way.map(step => step.name), part]) }
    if (node?.kind !== 'directory') throw new DiskError(node ? 'ENOTDIR' : 'ENOENT', call, path)
    way.push({ name: part, dir: node })
  }
  const end = way.at(-1)!
  return {
    parent: way.at(-2)?.dir ?? root,
    name: end.name,
    node: end.dir,
    path: pathOf(way.map(step => step.name)),
  }
}

function partsOf(path: string): string[] {
  return path.split('/').filter(part => part !== '' && part !== '.')
}

function pathOf(names: readonly string[]): string {
  return names.join('/') || '/'
}
