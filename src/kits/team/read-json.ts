import { isObject } from '../../core/json-schema.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import { decodeBytes } from '../../core/text-encoding.ts'
import { type Disk, DiskError } from '../../world/disk.ts'

/** The whole file as text; undefined when it is absent or cannot be read. */
export function readLenient(disk: Disk, path: string): string | undefined {
  try {
    const bytes = disk.read(path)
    return bytes && decodeBytes(bytes).text
  } catch (error) {
    if (error instanceof DiskError) return undefined
    throw error
  }
}

/** Undefined for what is no JSON object. */
export function readObject(disk: Disk, path: string): Record<string, unknown> | undefined {
  const text = readLenient(disk, path)
  const value = text === undefined ? undefined : parsedJson(text)
  return isObject(value) ? value : undefined
}

/** Names of a folder's entries of one kind, sorted; empty when it is absent or cannot be read. */
export function namesOf(disk: Disk, path: string, kind: 'file' | 'directory'): string[] {
  try {
    const entries = disk.list(path) ?? []
    return entries.filter(entry => entry.kind === kind).map(({ name }) => name)
  } catch (error) {
    if (error instanceof DiskError) return []
    throw error
  }
}

/** The agents of the workspace. */
export function agentsOf(disk: Disk, root: string): string[] {
  return namesOf(disk, `${root}/agents`, 'directory').filter(name => !name.startsWith('.'))
}
