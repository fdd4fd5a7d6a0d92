import { ClawError } from '../core/claw-error.ts'
import { isObject } from '../core/json-schema.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { type ReplaceOptions, replaceFile } from './atomic-file.ts'
import { conflictLine } from './doc/conflict-marker.ts'
import { jsonMistake } from './json-error.ts'
import { type Held, requireHeld } from './lock.ts'
import { setAside } from './quarantine.ts'
import { orNotRecorded } from './recorded.ts'
import { readText } from './text.ts'

export type JsonRead =
  | { state: 'absent' }
  | { state: 'ok'; value: unknown }
  | { state: 'damaged'; why: string; line?: number; column?: number }

export type JsonObject = Record<string, unknown>

/** An empty file is damaged, not empty: it is what a full disk leaves. Throws `not-recorded` when it cannot be read. */
export function readJsonFile(disk: Pick<Disk, 'read'>, path: string): JsonRead {
  const text = orNotRecorded(path, () => readText(disk, path))
  return text === undefined ? { state: 'absent' } : parseJson(text)
}

export function parseJson(text: string): JsonRead {
  if (text.trim() === '') return { state: 'damaged', why: 'the file is empty' }
  const line = conflictLine(text)
  if (line !== undefined) return { state: 'damaged', why: 'git conflict markers', line, column: 1 }
  const json = text.startsWith('\ufeff') ? text.slice(1) : text
  try {
    const value: unknown = JSON.parse(json)
    return { state: 'ok', value }
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    return { state: 'damaged', why, ...jsonMistake(json) }
  }
}

/** Pretty, with a newline at the end. Throws as `replaceFile`. */
export function replaceJson(
  world: Pick<World, 'disk' | 'random'>,
  path: string,
  value: unknown,
  options: ReplaceOptions = {},
): void {
  replaceFile(world, path, printJson(value), options)
}

/**
 * Read-modify-write. `change` gets the whole object (empty when the file is
 * absent), so that keys which `decode` does not know survive, and what `decode`
 * made of it; it returns the object to write. Nothing is written when nothing
 * changed, and never after a read that failed: the damaged bytes are set aside
 * and `corrupt` is thrown. What `decode` throws passes through.
 */
export function updateJson<T>(
  world: Pick<World, 'disk' | 'random' | 'clock'>,
  root: string,
  held: Held,
  path: string,
  decode: (value: unknown, file: string) => T,
  change: (whole: JsonObject, decoded: T | undefined) => JsonObject,
): JsonObject {
  requireHeld(held)
  const read = readJsonFile(world.disk, path)
  if (read.state === 'damaged') throw corrupt(world, root, path, read)
  const isThere = read.state === 'ok'
  const before = isThere ? read.value : {}
  const decoded = isThere ? decode(before, path) : undefined
  if (!isObject(before)) throw corrupt(world, root, path, { why: 'it is no JSON object' })
  const printed = printJson(before)
  const after = change(before, decoded)
  if (!isThere || printJson(after) !== printed) replaceJson(world, path, after)
  return after
}

function corrupt(
  world: Pick<World, 'disk' | 'random' | 'clock'>,
  root: string,
  path: string,
  { why, line, column }: { why: string; line?: number; column?: number },
): ClawError {
  const copy = setAside(world, root, path, why)
  const place = line === undefined ? path : `${path}:${line}:${column ?? 1}`
  return new ClawError('corrupt', `${place}: ${why}; nothing was written`, {
    hint: `a copy is kept in ${copy}`,
  })
}

function printJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
