import { basename, dirname, join, relative } from 'node:path'
import { ClawError, isClawError } from '../core/claw-error.ts'
import { sha256 } from '../world/hash.ts'
import type { World } from '../world/world.ts'
import { ensureDir } from './atomic-file.ts'
import { withLock } from './lock.ts'
import { orNotRecorded } from './recorded.ts'
import { type Settled, type SettleOptions, readSettled } from './shared-edit/settled-read.ts'
import { LateWatch } from './shared-edit/late-watch.ts'
import { type Published, publishShared } from './shared-edit/shared-publish.ts'
import { backupsDir, lockFile } from './state-dir.ts'
import { encodeText } from './text.ts'
import { unionMerge } from './shared-edit/union-merge.ts'

export interface EditOptions extends SettleOptions {
  /** Default false: a text of less than half the old size is refused. */
  allowShrink?: boolean
  /** How long to look after the write for an editor that saved at the same moment. Default 30. */
  confirmMs?: number
}

export type EditOutcome =
  | { kind: 'unchanged'; text: string }
  | {
      kind: 'written'
      /** Undefined when there was no file. */
      before: string | undefined
      text: string
      /** Path of the replaced text. */
      backup: string | undefined
      /** True when someone else saved meanwhile and both texts were merged. */
      merged: boolean
    }

type EditWorld = Pick<World, 'disk' | 'locks' | 'clock' | 'random' | 'host'>

const maxTries = 40

/**
 * Read-modify-write of a file that a person may be editing. `edit` gets the text
 * at rest (empty when there is no file) and returns the new one; what others
 * save meanwhile is merged, so `edit` runs once. The replaced text is kept in
 * `.claw/backups`. A link inside the workspace is followed. Throws
 * `policy-refused` for a text that lost more than half, and for a path outside
 * `root`; `busy`, `not-recorded` and `not-known`.
 */
export async function editShared(
  world: EditWorld,
  root: string,
  path: string,
  edit: (text: string) => string,
  options: EditOptions = {},
): Promise<EditOutcome> {
  const place = placeOf(world, root, path)
  const base = await readSettled(world, place.path, options)
  const old = base?.text ?? ''
  const next = edit(old)
  if (next === old) return { kind: 'unchanged', text: old }
  refuseShrink(place.name, old, next, options)
  const watch = new LateWatch(world, place.backups)
  try {
    const first = await publishMerged(world, place, { base, next }, options)
    const last = await confirm(world, place, first, { watch, options })
    const merged = first.merged || last !== first
    return { kind: 'written', before: base?.text, text: last.next, backup: first.published.backup, merged }
  } finally {
    watch.end()
  }
}

interface Place {
  /** Links resolved. */
  path: string
  /** Relative to the workspace. */
  name: string
  lock: string
  backups: string
}

interface Edit {
  base: Settled | undefined
  next: string
}

interface Round extends Edit {
  published: Published & { kind: 'written' }
  merged: boolean
}

/** Publishes, merging first whenever someone else was faster. */
async function publishMerged(
  world: EditWorld,
  place: Place,
  edit: Edit,
  options: EditOptions,
): Promise<Round> {
  let { base, next } = edit
  const { path, backups } = place
  for (let tries = 0; tries < maxTries; tries++) {
    const request = { path, base, next, backups }
    const published = await withLock<Published>(world, place.lock, held =>
      publishShared(held, world, request),
    )
    if (published.kind === 'written') return { base, next, published, merged: tries > 0 }
    const theirs = await readSettled(world, path, options)
    next = await unionMerge({ base: base?.text ?? '', ours: next, theirs: theirs?.text ?? base?.text ?? '' })
    base = theirs
  }
  throw new ClawError('busy', `${place.name}: someone else keeps changing it`)
}

interface Looking {
  watch: LateWatch
  options: EditOptions
}

/** Looks twice whether all is there, and again after each merge; returns what was written last. */
async function confirm(world: EditWorld, place: Place, first: Round, looking: Looking): Promise<Round> {
  const { watch, options } = looking
  const { confirmMs = 30, settleMs = 60 } = options
  let round = first
  watch.add(round.published.watch, round.base)
  try {
    for (let quietLooks = 0, looks = 0; quietLooks < 2 && looks < maxTries; looks++) {
      await world.clock.sleep(watch.isQuiet() ? confirmMs / 2 : settleMs)
      const wanted = await afterOthers(world, place, round, looking)
      quietLooks = wanted === undefined && watch.isQuiet() ? quietLooks + 1 : 0
      if (wanted === undefined) continue
      round = await publishMerged(world, place, wanted, options)
      watch.add(round.published.watch, round.base)
    }
    return round
  } catch (error) {
    // The text was written: neither `busy` nor `not-recorded` would be true.
    if (!isClawError(error)) throw error
    const why = `${place.name}: written, but not known whether it stayed: ${error.message}`
    throw new ClawError('not-known', why, { cause: error, hint: 'look into the file, or repeat it' })
  }
}

/** What has to be written so that nobody's save is lost; undefined when the file has it all. */
async function afterOthers(
  world: EditWorld,
  { path }: Place,
  round: Round,
  { watch, options }: Looking,
): Promise<Edit | undefined> {
  const bytes = orNotRecorded(path, () => world.disk.read(path))
  const isOurs = bytes !== undefined && Buffer.compare(bytes, encodeText(round.next)) === 0
  const current = isOurs ? { bytes, text: round.next } : await readSettled(world, path, options)
  // A file that someone removed stays removed.
  if (current === undefined) return undefined
  const together = { base: round.base?.text ?? '', ours: round.next, theirs: current.text }
  const next = await watch.merge(await unionMerge(together))
  return next === current.text ? undefined : { base: current, next }
}

function refuseShrink(name: string, old: string, next: string, { allowShrink = false }: EditOptions): void {
  if (allowShrink || next.length * 2 >= old.length) return
  const what = next.trim() === '' ? 'empty' : `${next.length} of ${old.length} characters`
  throw new ClawError('policy-refused', `${name}: the new text would be ${what}; nothing was written`)
}

function placeOf({ disk }: EditWorld, root: string, path: string): Place {
  const real = orNotRecorded(path, () => realPath(disk, path))
  const name = relative(
    orNotRecorded(root, () => realPath(disk, root)),
    real,
  )
  if (name === '' || name.startsWith('..')) {
    throw new ClawError('policy-refused', `${path}: it is, or leads to, a place outside the workspace`)
  }
  const slug = slugOf(name)
  const lock = lockFile(root, slug)
  ensureDir(disk, dirname(lock))
  return {
    path: real,
    name,
    lock,
    backups: join(backupsDir(root), slug),
  }
}

/** Also of what is not there yet: then its folder's links are resolved. */
function realPath(disk: EditWorld['disk'], path: string): string {
  const parent = dirname(path)
  return disk.realpath(path) ?? (parent === path ? path : join(realPath(disk, parent), basename(path)))
}

/** A path as one file name; a long one is cut and keeps its hash. */
export function slugOf(name: string): string {
  const slug = name.replaceAll('~', '~~').replaceAll(/[/\\]/g, '~')
  return Buffer.byteLength(slug) <= 120 ? slug : `${sha256(name).slice(0, 8)}~${basename(name).slice(-40)}`
}
