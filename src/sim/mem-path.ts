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
export function locate(root: DirInode, { call, path, follow = true }: Lookup): Place {
  const way: { name: string; dir: DirInode }[] = [{ name: '', dir: root }]
  let pending = partsOf(path)
  let links = 0
  while (pending.length > 0) {
    const [part = '', ...rest] = pending
    pending = rest
    if (part === '..') {
      if (way.length > 1) way.pop()
      continue
    }
    const { dir } = way.at(-1)!
    const node = dir.live.get(part)
    const isLast = rest.length === 0
    if (node?.kind === 'symlink' && (follow || !isLast)) {
      links += 1
      if (links > maxLinks) throw new DiskError('ELOOP', call, path)
      if (node.target.startsWith('/')) way.length = 1
      pending = [...partsOf(node.target), ...rest]
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

function pathOf(names: string[]): string {
  return names.join('/') || '/'
}
