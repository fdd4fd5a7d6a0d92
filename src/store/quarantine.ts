import { basename, dirname, join, relative } from 'node:path'
import { ClawError } from '../core/claw-error.ts'
import { toIso } from '../core/millis.ts'
import { sha256 } from '../world/hash.ts'
import type { World } from '../world/world.ts'
import { createFile } from './atomic-file.ts'
import { notRecorded, orNotRecorded } from './recorded.ts'
import { fileStamp } from './stamp.ts'
import { keptAsideDir } from './state-dir.ts'

export interface SetAsideOptions {
  /** Default false: the file stays where it is. */
  move?: boolean
}

/**
 * Copies a file that cannot be understood to `.claw/quarantine`, with a line that
 * says why beside it, and returns the copy's path. The same bytes of the same
 * file are kept once. Throws `not-recorded`, and `not-found` when there is no file.
 */
export function setAside(
  world: Pick<World, 'disk' | 'random' | 'clock'>,
  root: string,
  path: string,
  why: string,
  { move = false }: SetAsideOptions = {},
): string {
  const { disk, clock } = world
  const bytes = orNotRecorded(path, () => disk.read(path))
  if (bytes === undefined) throw new ClawError('not-found', `${path}: there is no such file to set aside`)
  const dir = keptAsideDir(root)
  const ending = `-${basename(path).slice(-100)}-${sha256(bytes).slice(0, 8)}`
  const known = orNotRecorded(dir, () => disk.list(dir)?.find(({ name }) => name.endsWith(ending)))
  const copy = join(dir, known?.name ?? `${fileStamp(clock.now())}${ending}`)
  if (known === undefined) createFile(world, copy, bytes)
  const line = `${toIso(clock.now())} ${relative(root, path)}: ${why.replaceAll('\n', ' ')}\n`
  createFile(world, `${copy}.why`, line)
  if (move) removeOriginal(world, path)
  return copy
}

function removeOriginal({ disk }: Pick<World, 'disk'>, path: string): void {
  try {
    disk.remove(path)
    disk.sync(dirname(path))
  } catch (error) {
    throw notRecorded(error, path)
  }
}
