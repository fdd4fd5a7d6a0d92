import { basename, dirname, join } from 'node:path'
import { type Disk, DiskError } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { notKnown, notRecorded, orNotRecorded } from './recorded.ts'
import { toBytes } from './text.ts'

export interface ReplaceOptions {
  /** Permission bits, default 0600. */
  mode?: number
  /** Default true. False for what can be derived again: whole or absent, but perhaps lost with the power. */
  durable?: boolean
}

type Files = Pick<World, 'disk' | 'random'>

/**
 * mkdir -p; each entry it makes is synced, and taken back when that fails. An
 * entry whose maker was killed before its sync is left to the order in which the
 * file system commits: nothing shows later that it is new. Throws `not-recorded`.
 */
export function ensureDir(disk: Disk, path: string): void {
  orNotRecorded(path, () => makeDirs(disk, path))
}

/**
 * Before this returns a reader sees all of the old content, afterwards all of
 * the new. A missing folder is made. A link at `path` is replaced, not followed.
 * Throws `not-recorded`; `not-known` only when the new content is in place but
 * its name could not be made safe against a power loss.
 */
export function replaceFile(
  files: Files,
  path: string,
  content: string | Uint8Array,
  options: ReplaceOptions = {},
): void {
  publishDraft(files.disk, writeDraft(files, path, content, options), path, options)
}

/** The first half of `replaceFile`: the content beside `path` under the name that is returned. */
export function writeDraft(
  { disk, random }: Files,
  path: string,
  content: string | Uint8Array,
  { mode, durable = true }: ReplaceOptions = {},
): string {
  ensureDir(disk, dirname(path))
  const bytes = toBytes(content)
  for (;;) {
    const draft = draftName(path, random.hex(8))
    try {
      // A name that is taken is the draft of another process, alive or dead: it is left alone.
      if (!disk.create(draft, bytes, mode)) continue
      if (durable) disk.sync(draft)
      return draft
    } catch (error) {
      discard(disk, draft)
      throw notRecorded(error, path)
    }
  }
}

/** The second half: the draft takes the place of `path`. */
export function publishDraft(
  disk: Disk,
  draft: string,
  path: string,
  { durable = true }: ReplaceOptions = {},
): void {
  try {
    disk.rename(draft, path)
  } catch (error) {
    // A draft that is gone although the rename failed has taken its place after all.
    throw discard(disk, draft) === 'absent' ? notKnown(error, path) : notRecorded(error, path)
  }
  if (!durable) return
  try {
    disk.sync(dirname(path))
  } catch (error) {
    throw notKnown(error, path)
  }
}

/**
 * Exclusive: false when `path` exists. The file appears complete or not at all,
 * also to a reader that looks in the middle. Throws `not-recorded` after taking
 * it back, `not-known` when that failed as well.
 */
export function createFile(files: Files, path: string, content: string | Uint8Array): boolean {
  const { disk } = files
  const draft = writeDraft(files, path, content)
  let isMine: boolean
  try {
    isMine = disk.link(draft, path)
  } catch (error) {
    discard(disk, draft)
    throw notRecorded(error, path)
  }
  discard(disk, draft)
  if (isMine) syncEntryOrTakeBack(disk, path)
  return isMine
}

/** A name that only a draft has: one that is old is what a process left that died; doctor removes it. */
export function isDraft(name: string): boolean {
  return /.\.[0-9a-f]{8}\.draft$/.test(name)
}

/** Long names are cut, so that a draft of any file that can exist can exist too. */
export function draftName(path: string, token: string): string {
  const name = basename(path)
  const isLong = Buffer.byteLength(name) > 230
  return isLong ? join(dirname(path), `${name.slice(0, 50)}.${token}.draft`) : `${path}.${token}.draft`
}

function makeDirs(disk: Disk, path: string): void {
  if (disk.stat(path)?.kind === 'directory') return
  const parent = dirname(path)
  if (parent !== path) makeDirs(disk, parent)
  disk.mkdir(path)
  try {
    disk.sync(parent)
  } catch (error) {
    // Else the next run would find the folder and trust an entry that may vanish.
    disk.rmdir(path)
    throw error
  }
}

function syncEntryOrTakeBack(disk: Disk, path: string): void {
  try {
    disk.sync(dirname(path))
  } catch (error) {
    throw discard(disk, path) === 'stays' ? notKnown(error, path) : notRecorded(error, path)
  }
}

/** Cleaning up must not hide the first failure: a draft that stays is removed by doctor. */
function discard(disk: Disk, path: string): 'removed' | 'absent' | 'stays' {
  try {
    return disk.remove(path) ? 'removed' : 'absent'
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return 'stays'
  }
}
