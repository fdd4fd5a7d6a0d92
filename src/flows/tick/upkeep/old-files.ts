import { basename, dirname, join } from 'node:path'
import { isSettled } from '../../../core/outbox.ts'
import { dayMs, fromIso, type Millis } from '../../../core/millis.ts'
import { backupsDir, blobsDir, outboxDir, slotDir, spendDir } from '../../../records/paths.ts'
import { peekDelivery } from '../../../records/outbox.ts'
import type { Disk } from '../../../world/disk.ts'
import type { World } from '../../../world/world.ts'

export const upkeepKinds = ['slots', 'deliveries', 'blobs', 'backups', 'spending'] as const
export type UpkeepKind = (typeof upkeepKinds)[number]

/** How long each is of use, in days: a slot as long as a watch can lag, spending for a year and a month of comparison. */
const keepDays: Record<UpkeepKind, number> = {
  slots: 40,
  deliveries: 90,
  blobs: 45,
  backups: 90,
  spending: 400,
}

/** Work of one day; what is left goes on the next. */
const mostFiles = 5_000

/** Files of this kind that are older than they are kept. Reads only. */
export function oldFiles(
  { disk, clock }: Pick<World, 'disk' | 'clock'>,
  root: string,
  kind: UpkeepKind,
): string[] {
  const before = clock.now() - keepDays[kind] * dayMs
  return finders[kind](disk, root, before).slice(0, mostFiles)
}

type Finder = (disk: Disk, root: string, before: Millis) => string[]

const finders: Record<UpkeepKind, Finder> = {
  slots: (disk, root, before) =>
    filesBelow(disk, dirname(dirname(slotDir(root, '-', '-'))), 2).filter(
      path => (slotOf(path) ?? before) < before,
    ),
  deliveries: (disk, root, before) =>
    filesBelow(disk, join(outboxDir(root), 'done'), 1)
      .filter(path => path.endsWith('.jsonl') && isOlder(disk, path, before))
      .filter(path => isSettledDelivery(disk, root, basename(path, '.jsonl'))),
  blobs: (disk, root, before) =>
    filesBelow(disk, blobsDir(root), 1).filter(
      path => /\/[0-9a-f]{2}\/[0-9a-f]{62}$/.test(path) && isOlder(disk, path, before),
    ),
  // The crontab as it was before claw came is a user's own, and small.
  backups: (disk, root, before) =>
    filesBelow(disk, backupsDir(root), 1).filter(
      path => !path.startsWith(join(backupsDir(root), 'crontab')) && isOlder(disk, path, before),
    ),
  spending: (disk, root, before) =>
    filesBelow(disk, spendDir(root), 0).filter(path => (dayOf(path) ?? before) < before),
}

function isSettledDelivery(disk: Disk, root: string, id: string): boolean {
  const delivery = peekDelivery(disk, root, id)
  return delivery !== undefined && isSettled(delivery)
}

/** Regular files so many folders deep, no links. */
function filesBelow(disk: Disk, dir: string, depth: number): string[] {
  return (disk.list(dir) ?? []).flatMap(({ name, kind }) => {
    const path = `${dir}/${name}`
    if (depth > 0) return kind === 'directory' ? filesBelow(disk, path, depth - 1) : []
    return kind === 'file' ? [path] : []
  })
}

/** By the name: `2026-11-28T00-30Z`, `.2` for a second attempt, `.asked` for its effects. */
function slotOf(path: string): Millis | undefined {
  const [, date, hour, minute] =
    /\/(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})Z(?:\.\d+)?(?:\.asked)?$/.exec(path) ?? []
  return date === undefined ? undefined : fromIso(`${date}T${hour}:${minute}:00Z`)
}

function dayOf(path: string): Millis | undefined {
  const date = /\/(\d{4}-\d{2}-\d{2})\.jsonl$/.exec(path)?.[1]
  return date === undefined ? undefined : fromIso(`${date}T00:00:00Z`)
}

function isOlder(disk: Disk, path: string, before: Millis): boolean {
  const stat = disk.lstat(path)
  return stat !== undefined && stat.mtimeMs < before
}
