import { dirname, join } from 'node:path'
import { sha256 } from '../../world/hash.ts'
import { DiskError } from '../../world/disk.ts'
import type { World } from '../../world/world.ts'
import { createFile, draftName, publishDraft, writeDraft } from '../atomic-file.ts'
import { type Held, requireHeld } from '../lock.ts'
import { orNotRecorded } from '../recorded.ts'
import type { Settled } from './settled-read.ts'
import { fileStamp } from '../stamp.ts'

export type PublishWorld = Pick<World, 'disk' | 'random' | 'clock'>

export interface PublishRequest {
  path: string
  /** What the new text was made from; undefined when there was no file. */
  base: Settled | undefined
  next: string
  /** Folder that keeps the replaced text. */
  backups: string
}

export type Published =
  | {
      kind: 'written'
      backup: string | undefined
      /** A second name of the replaced file: an editor that had it open may still write there. */
      watch: string | undefined
    }
  /** Someone saved in between; nothing was written. */
  | { kind: 'changed' }

/**
 * Replaces the file only if it is still `base`. The new text is prepared first,
 * so that between the last look and the rename there is one system call.
 */
export function publishShared(held: Held, world: PublishWorld, request: PublishRequest): Published {
  requireHeld(held)
  const { path, base, next } = request
  if (base === undefined) {
    return createFile(world, path, next)
      ? { kind: 'written', backup: undefined, watch: undefined }
      : { kind: 'changed' }
  }
  if (!isStill(world, path, base)) return { kind: 'changed' }
  const backup = keepBackup(world, request.backups, base.bytes)
  const mode = orNotRecorded(path, () => world.disk.stat(path)?.mode)
  const draft = writeDraft(world, path, next, mode === undefined ? {} : { mode })
  const watch = draftName(path, world.random.hex(8))
  try {
    const isWatched = orNotRecorded(path, () => linkIfPossible(world, path, watch))
    if (!isStill(world, isWatched ? watch : path, base) || (isWatched && !isSameFile(world, watch, path))) {
      removeQuietly(world, draft, watch)
      return { kind: 'changed' }
    }
    publishDraft(world.disk, draft, path)
    return { kind: 'written', backup, watch: isWatched ? watch : undefined }
  } catch (error) {
    removeQuietly(world, draft, watch)
    throw error
  }
}

/** The replaced text under its time and hash; the same text within a millisecond is kept once. */
export function keepBackup(world: PublishWorld, dir: string, bytes: Uint8Array): string {
  const path = join(dir, `${fileStamp(world.clock.now())}-${sha256(bytes).slice(0, 8)}`)
  createFile(world, path, bytes)
  return path
}

/** What stays is a draft, which doctor removes. */
function removeQuietly({ disk }: Pick<World, 'disk'>, ...paths: string[]): void {
  for (const path of paths) {
    try {
      disk.remove(path)
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
    }
  }
}

function isStill({ disk }: PublishWorld, path: string, base: Settled): boolean {
  const bytes = orNotRecorded(path, () => disk.read(path))
  return bytes !== undefined && Buffer.compare(bytes, base.bytes) === 0
}

/** Looks at `path` last: a save by rename between this look and the rename that follows it cannot be seen. */
function isSameFile({ disk }: PublishWorld, watch: string, path: string): boolean {
  return orNotRecorded(dirname(path), () => disk.lstat(watch)?.id === disk.lstat(path)?.id)
}

/** Some file systems have no hard links; then late writers are not seen. */
function linkIfPossible({ disk }: PublishWorld, from: string, to: string): boolean {
  try {
    return disk.link(from, to)
  } catch (error) {
    const isLacking =
      error instanceof DiskError &&
      ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'ENOENT'].includes(error.code)
    if (isLacking) return false
    throw error
  }
}
