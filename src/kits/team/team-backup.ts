import { join } from 'node:path'
import type { CollectContext } from '../../agent/collector.ts'
import { filledText, listOf, objectOf, optional, wholeIn } from '../../core/decode.ts'
import type { GatherResult } from '../../core/evidence.ts'
import { dayMs, toIso } from '../../core/millis.ts'
import { decideRelative, splitPath } from '../../core/paths-policy.ts'
import { DiskError } from '../../world/disk.ts'
import { decodeOptions } from '../ainews/collector-options.ts'
import { copyInto, type Copied } from './copy-into.ts'
import { type Fact, factsResult, failedSource, okSource } from './fact.ts'
import { sizeText } from './place-facts.ts'
import { namesOf } from './read-json.ts'
import { makeFolders, removeTree, writeWhole } from './write-whole.ts'

const backupOptions = objectOf({
  paths: optional(listOf(filledText), [
    'agents',
    'shared-context',
    'skills',
    'ontology',
    'claw.yaml',
    'AGENTS.md',
    'USER.md',
    'TOOLS.md',
  ]),
  /** Backups that stay, the newest. */
  keep: optional(wholeIn(1, 1000), 7),
  /** Dated folders of work older than this are copied once, to `backups/older/`. */
  olderDays: optional(wholeIn(2, 3650), 8),
  /** A transcript above this is left out. */
  sessionBytes: optional(wholeIn(0, 2 ** 40), 2 ** 20),
})

type BackupOptions = ReturnType<typeof backupOptions>

const folder = 'backups'
const backupName = /^\d{4}-\d{2}-\d{2}(?:-\d{4,6})?$/
const draftName = /^\.\d{4}-\d{2}-\d{2}.*\.draft$/

/**
 * `team.backup`: copies beside the old backups, verifies every size, and only then
 * gives the copy its name and removes the oldest. Never throws for a disk that
 * fails: the source is then `failed`, nothing was gathered, and the old ones stay.
 */
export async function backUpTeam(
  raw: Record<string, unknown>,
  context: CollectContext,
): Promise<GatherResult> {
  const options = decodeOptions('team.backup', backupOptions, raw)
  const now = context.world.clock.now()
  if (context.isDry) {
    const why = 'a dry run copies nothing'
    return factsResult([factOf('backup', why)], [okSource(folder, 1)], now)
  }
  try {
    return await backUp(options, context)
  } catch (error) {
    if (!(error instanceof DiskError) && !(error instanceof Error && error.name === 'CopyProblem'))
      throw error
    return factsResult([], [failedSource(folder, `no backup was made: ${error.message}`)], now)
  }
}

async function backUp(options: BackupOptions, context: CollectContext): Promise<GatherResult> {
  const { world, root, timeZone } = context
  const now = world.clock.now()
  const { date, time } = world.clock.local(now, timeZone)
  const home = join(root, folder)
  makeFolders(world.disk, home)
  removeDeadDrafts(context, home, now)
  const draft = join(home, `.${date}.${world.random.hex(8)}.draft`)
  try {
    const copied = await copyInto(context, {
      paths: options.paths.filter(isCopied),
      target: draft,
      older: {
        folder: join(home, 'older'),
        before: world.clock.local(now - options.olderDays * dayMs, timeZone).date,
      },
      sessionBytes: options.sessionBytes,
    })
    const name = freeName(context, home, date, time)
    writeWhole(world, join(draft, 'MANIFEST.json'), manifestText(copied, now))
    world.disk.sync(draft)
    world.disk.rename(draft, join(home, name))
    world.disk.sync(home)
    const removed = removeOldest(context, home, options.keep)
    const fact = factOf(`backup ${name}`, textOf(copied, removed), now)
    const sources = [okSource(`${folder}/${name}`, 1)]
    return { ...factsResult([fact], sources, now), notes: copied.missing.map(path => `there is no ${path}`) }
  } finally {
    removeTree(world.disk, draft)
  }
}

/** Neither secrets nor machine state, nor the backups themselves. */
function isCopied(path: string): boolean {
  const segments = splitPath(path)
  if (!Array.isArray(segments) || segments[0] === folder) return false
  return decideRelative(segments.join('/'), { action: 'read', scope: 'own', agent: '' }) === undefined
}

/** A second backup of a day is named after its time as well. */
function freeName({ world }: CollectContext, home: string, date: string, time: string): string {
  const names = [date, `${date}-${time.replace(':', '')}`, `${date}-${world.random.hex(6)}`]
  return names.find(name => !world.disk.lstat(join(home, name)))!
}

/** The copy of a process that died is no backup. */
function removeDeadDrafts({ world: { disk } }: CollectContext, home: string, now: number): void {
  for (const name of namesOf(disk, home, 'directory').filter(one => draftName.test(one))) {
    if (now - (disk.stat(join(home, name))?.mtimeMs ?? 0) > dayMs) removeTree(disk, join(home, name))
  }
}

/** Renamed first, so that a half removed one is not taken for a backup. */
function removeOldest({ world: { disk } }: CollectContext, home: string, keep: number): number {
  const names = namesOf(disk, home, 'directory').filter(name => backupName.test(name))
  const surplus = names.slice(0, Math.max(0, names.length - keep))
  for (const name of surplus) {
    const gone = join(home, `.${name}.gone.draft`)
    disk.rename(join(home, name), gone)
    removeTree(disk, gone)
  }
  return surplus.length
}

function manifestText({ files, bytes, older, leftOut, missing }: Copied, now: number): string {
  return `${JSON.stringify({ at: toIso(now), files, bytes, older, leftOut, missing }, null, 1)}\n`
}

function textOf({ files, bytes, older, leftOut }: Copied, removed: number): string {
  return [
    `${files} files, ${sizeText(bytes)}, every size verified`,
    ...(older > 0 ? [`${older} older folders copied to backups/older`] : []),
    ...(leftOut.length > 0 ? [`${leftOut.length} large transcripts left out`] : []),
    ...(removed > 0 ? [`${removed} old backups removed`] : []),
  ].join('; ')
}

function factOf(title: string, text: string, at?: number): Fact {
  return { level: 'fact', category: 'backups', title, text, source: folder, at }
}
