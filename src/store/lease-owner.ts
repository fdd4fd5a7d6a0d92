import { dirname } from 'node:path'
import { isObject } from '../core/json-schema.ts'
import { type Disk, DiskError } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { readJsonFile, replaceJson } from './json-file.ts'

/** Who holds a lease; for people and for the story of a crash, never judged to take one. */
export interface LeaseOwner {
  run: string
  host: string
  pid: number
  processStart: string
  /** ISO 8601 */
  since: string
  /** What it does, e.g. `ainews/morning-digest`. */
  what: string
}

/** What a new holder writes, told of the one before when that one did not release. */
export type OwnerAfter = (previous: LeaseOwner | undefined) => LeaseOwner

/** Undefined when nobody holds it, or the text is not readable: then it says nothing. */
export function readOwner(disk: Pick<Disk, 'read'>, path: string): LeaseOwner | undefined {
  const read = readJsonFile(disk, ownerPath(path))
  return read.state === 'ok' && isOwner(read.value) ? read.value : undefined
}

/** Durable, so that it tells of the holder after a power loss too. */
export function writeOwner(world: Pick<World, 'disk' | 'random'>, path: string, owner: LeaseOwner): void {
  replaceJson(world, ownerPath(path), owner)
}

/** After this a crash is not read into an orderly end. Best effort: a lease is also released on a full disk. */
export function removeOwner(disk: Disk, path: string): void {
  try {
    if (disk.remove(ownerPath(path))) disk.sync(dirname(path))
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
  }
}

/** "held by pid 4711 on host since 2026-11-30T18:08:00.000Z (ainews/morning-digest)". */
export function ownerInWords(owner: LeaseOwner | undefined): string {
  if (owner === undefined) return 'held by another process'
  return `held by pid ${owner.pid} on ${owner.host} since ${owner.since} (${owner.what})`
}

function ownerPath(path: string): string {
  return `${path}.owner`
}

/** Whether a value read from a file names a holder. */
export function isOwner(value: unknown): value is LeaseOwner {
  if (!isObject(value) || typeof value['pid'] !== 'number') return false
  return ['run', 'host', 'processStart', 'since', 'what'].every(name => typeof value[name] === 'string')
}
