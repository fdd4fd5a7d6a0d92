import { join, sep } from 'node:path'
import { decideRelative, splitPath } from '../../core/paths-policy.ts'
import { type Disk, DiskError, type FileStat } from '../../world/disk.ts'

export interface FoundFile {
  /** Relative to the workspace. */
  path: string
  absolute: string
  stat: FileStat
}

export type Matched = { kind: 'found'; files: FoundFile[] } | { kind: 'failed'; why: string }

/**
 * The files that a workspace path means, sorted by path; `*` stands for any part of
 * one name that does not begin with a dot. A path that an agent may not read, or that leads out of the
 * workspace through a link, fails. With `newest`, only so many of them, the last by path: a
 * year of days costs no more than a week.
 */
export function matchFiles(disk: Disk, root: string, pattern: string, newest = Infinity): Matched {
  const segments = splitPath(pattern)
  if (!Array.isArray(segments)) return { kind: 'failed', why: segments.why }
  const no = decideRelative(segments.join('/'), { action: 'read', scope: 'own', agent: '' })
  if (no) return { kind: 'failed', why: no.why }
  try {
    const paths = segments.reduce<string[]>(
      (found, segment) => found.flatMap(path => namesIn(disk, root, path, segment)),
      [''],
    )
    const files = lastFiles(disk, root, paths, newest)
    if (files.length > 0) return { kind: 'found', files }
    return { kind: 'failed', why: pattern.includes('*') ? 'no file matches' : 'no such file' }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return { kind: 'failed', why: `cannot be read (${error.code})` }
  }
}

function namesIn(disk: Disk, root: string, path: string, segment: string): string[] {
  const next = (name: string): string => (path === '' ? name : `${path}/${name}`)
  if (!segment.includes('*')) return [next(segment)]
  const folder = join(root, path)
  if (disk.stat(folder)?.kind !== 'directory') return []
  const parts = segment.split('*')
  return (disk.list(folder) ?? []).filter(({ name }) => isLike(name, parts)).map(({ name }) => next(name))
}

/** Whether the parts stand in the name one after another, the first at its start and the last at its end. */
function isLike(name: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (name.startsWith('.') || name.length < first.length + last.length) return false
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let from = first.length
  const end = name.length - last.length
  for (const part of parts.slice(1, -1)) {
    const at = name.indexOf(part, from)
    if (at === -1 || at + part.length > end) return false
    from = at + part.length
  }
  return true
}

function lastFiles(disk: Disk, root: string, paths: readonly string[], newest: number): FoundFile[] {
  const files: FoundFile[] = []
  const inside = `${disk.realpath(root) ?? root}${sep}`
  for (let at = paths.length - 1; at >= 0 && files.length < newest; at--) {
    const file = fileAt(disk, { root, inside }, paths[at]!)
    if (file) files.push(file)
  }
  return files.reverse()
}

function fileAt(
  disk: Disk,
  { root, inside }: { root: string; inside: string },
  path: string,
): FoundFile | undefined {
  const absolute = `${root}/${path}`
  const real = disk.realpath(absolute)
  const stat = real === undefined ? undefined : disk.stat(absolute)
  if (real === undefined || stat?.kind !== 'file') return undefined
  return real.startsWith(inside) ? { path, absolute, stat } : undefined
}
