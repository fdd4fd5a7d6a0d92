import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Disk, DiskError } from '../../world/disk.ts'
import type { Source } from './source-list.ts'

/** A folder that holds more is most likely not a folder of sources. */
const filesCap = 2000

export interface Expanded {
  sources: Source[]
  /** Files below a named folder that do not end like a source. */
  leftOut: number
}

export interface Place {
  disk: Disk
  /** Of the workspace. */
  root: string
  /** Endings that make a file in a folder a source, e.g. `xml`. */
  endings: readonly string[]
}

/** Each folder becomes one source a file, sorted by path; all else stays as it is. */
export function expandFolders(sources: readonly Source[], place: Place): Expanded {
  const expanded: Expanded = { sources: [], leftOut: 0 }
  for (const source of sources) {
    const path = localPath(source.url, place.root)
    if (path === undefined || statOf(place.disk, path)?.kind !== 'directory') expanded.sources.push(source)
    else addFolder(expanded, { source, path, place })
  }
  return expanded
}

/** The absolute path of a `file:` address; undefined for any other. */
export function localPath(url: string, root: string): string | undefined {
  if (!/^file:/i.test(url)) return undefined
  if (/^file:\/\//i.test(url)) {
    try {
      return fileURLToPath(url)
    } catch {
      // No proper file URL (`file://sources/a.xml`): what follows the slashes is taken as a path.
    }
  }
  const path = url.slice('file:'.length).replace(/^\/\/+/, '/')
  return isAbsolute(path) && !/^file:\/\/[^/]/i.test(url) ? path : join(root, path)
}

export type LocalBytes = { kind: 'bytes'; bytes: Uint8Array } | { kind: 'failed'; why: string }

/** Never throws for a file that cannot be read. */
export function readLocal(disk: Disk, path: string, maxBytes: number): LocalBytes {
  try {
    const stat = disk.stat(path)
    if (!stat) return { kind: 'failed', why: 'no such file' }
    if (stat.kind !== 'file') return { kind: 'failed', why: `not a regular file but a ${stat.kind}` }
    if (stat.sizeBytes > maxBytes) return { kind: 'failed', why: tooLarge(maxBytes) }
    const bytes = disk.read(path)
    return bytes ? { kind: 'bytes', bytes } : { kind: 'failed', why: 'no such file' }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return { kind: 'failed', why: `cannot be read (${error.code})` }
  }
}

export function tooLarge(maxBytes: number): string {
  return `larger than ${(maxBytes / 2 ** 20).toFixed(maxBytes < 2 ** 20 ? 3 : 0)} MiB`
}

interface Folder {
  source: Source
  path: string
  place: Place
}

function addFolder(expanded: Expanded, { source, path, place }: Folder): void {
  const before = expanded.sources.length
  for (const file of filesBelow(place.disk, path)) {
    const name = relative(path, file)
    const ending = /\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
    if (!place.endings.includes(ending)) expanded.leftOut++
    else
      expanded.sources.push({
        ...source,
        name: `${source.name}: ${name}`,
        url: `file:${shownPath(file, place.root)}`,
      })
  }
  // Kept as it is, so that it is reported as a source that failed.
  if (expanded.sources.length === before) expanded.sources.push(source)
}

function shownPath(file: string, root: string): string {
  const inside = relative(root, file)
  return inside.startsWith('..') ? file : inside
}

/** Links to folders are not followed: they may lead round in a circle. */
function filesBelow(disk: Disk, folder: string): string[] {
  const files: string[] = []
  const folders = [folder]
  for (let at = folders.shift(); at !== undefined && files.length < filesCap; at = folders.shift()) {
    for (const entry of listOf(disk, at)) {
      const path = join(at, entry.name)
      if (entry.kind === 'directory') folders.push(path)
      else if (entry.kind === 'file' || statOf(disk, path)?.kind === 'file') files.push(path)
    }
  }
  return files.slice(0, filesCap).sort()
}

function listOf(disk: Disk, path: string): ReturnType<Disk['list']> & object {
  try {
    return disk.list(path) ?? []
  } catch (error) {
    if (error instanceof DiskError) return []
    throw error
  }
}

function statOf(disk: Disk, path: string): ReturnType<Disk['stat']> {
  try {
    return disk.stat(path)
  } catch (error) {
    if (error instanceof DiskError) return undefined
    throw error
  }
}
