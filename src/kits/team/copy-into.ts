import { dirname, join } from 'node:path'
import type { CollectContext } from '../../agent/collector.ts'
import type { Disk } from '../../world/disk.ts'
import { walk } from './walk.ts'
import { makeFolders, removeTree } from './write-whole.ts'

export interface CopyPlan {
  /** Relative to the workspace: files and folders. */
  paths: readonly string[]
  /** Absolute; is made. */
  target: string
  /** Dated folders before this day (YYYY-MM-DD) go here once. */
  older: { folder: string; before: string }
  /** Of one transcript. */
  sessionBytes: number
}

export interface Copied {
  files: number
  bytes: number
  /** Dated folders that were copied for good. */
  older: number
  /** Transcripts above the cap. */
  leftOut: string[]
  /** Paths of the plan that are not there. */
  missing: string[]
}

/** What ends a copy besides the disk. */
class CopyProblem extends Error {
  override readonly name = 'CopyProblem'
}

/** A workspace with more files than this needs another tool. */
const maxFiles = 500_000

/** Between two looks at whether the run has to stop. */
const filesAStep = 200

/**
 * Copies and compares the size of each copy with what was read. Links, secrets, machine
 * state and `node_modules` are left out. Throws `DiskError` or a `CopyProblem`; what
 * was copied until then is for the caller to remove.
 */
export async function copyInto(context: CollectContext, plan: CopyPlan): Promise<Copied> {
  const { world, root, signal } = context
  const copied: Copied = { files: 0, bytes: 0, older: 0, leftOut: [], missing: [] }
  const copyFile = copier(world.disk)
  makeFolders(world.disk, plan.target)
  for (const path of plan.paths) {
    const found = filesOf(context, plan, path)
    if (!found) copied.missing.push(path)
    for (const folder of found?.dated ?? []) if (copyOnce(context, plan, folder)) copied.older += 1
    for (const file of found?.files ?? []) {
      if (file.isLeftOut) copied.leftOut.push(file.path)
      else copied.bytes += copyFile(`${root}/${file.path}`, `${plan.target}/${file.path}`)
      if (!file.isLeftOut) copied.files += 1
      if (copied.files % filesAStep === 0) await world.clock.sleep(0, signal)
      if (signal.aborted) throw new CopyProblem(`stopped after ${copied.files} files`)
    }
  }
  if (copied.files === 0) throw new CopyProblem('there is nothing to copy')
  return copied
}

interface Found {
  files: { path: string; isLeftOut: boolean }[]
  /** Dated folders that are old enough. */
  dated: string[]
}

/** Undefined when there is nothing at this path. */
function filesOf({ world: { disk }, root }: CollectContext, plan: CopyPlan, path: string): Found | undefined {
  const kind = disk.lstat(join(root, path))?.kind
  if (kind === 'file') return { files: [{ path, isLeftOut: false }], dated: [] }
  if (kind !== 'directory') return undefined
  const dated: string[] = []
  const { files, isComplete, unread } = walk(disk, join(root, path), {
    maxFiles,
    isLeftOut(below, of) {
      if (isNeverCopied(below)) return true
      const day = of === 'directory' ? /(?:^|\/)(\d{4}-\d{2}-\d{2})$/.exec(below)?.[1] : undefined
      if (day === undefined || day >= plan.older.before) return false
      dated.push(`${path}/${below}`)
      return true
    },
  })
  if (!isComplete) throw new CopyProblem(`${path} holds more than ${maxFiles} files`)
  if (unread.length > 0) throw new CopyProblem(`${path}/${unread[0]} cannot be read`)
  const isLarge = (file: { path: string; sizeBytes: number }): boolean =>
    /(?:^|\/)sessions\//.test(`${path}/${file.path}`) && file.sizeBytes > plan.sessionBytes
  return {
    files: files.map(file => ({ path: `${path}/${file.path}`, isLeftOut: isLarge(file) })),
    dated,
  }
}

function isNeverCopied(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return /^(?:\.claw|\.git|node_modules|\.env.*)$/.test(name) || /\.[0-9a-f]{8}\.draft$/.test(name)
}

/** True when it was not there yet. The folder appears whole or not at all. */
function copyOnce({ world, root }: CollectContext, { older }: CopyPlan, folder: string): boolean {
  const { disk, random } = world
  const target = join(older.folder, folder)
  if (disk.stat(target)) return false
  const draft = `${target}.${random.hex(8)}.draft`
  try {
    makeFolders(disk, draft)
    const { files } = walk(disk, join(root, folder), { maxFiles, isLeftOut: isNeverCopied })
    const copyFile = copier(disk)
    for (const { path } of files) copyFile(`${root}/${folder}/${path}`, `${draft}/${path}`)
    disk.rename(draft, target)
    disk.sync(dirname(target))
    return true
  } finally {
    removeTree(disk, draft)
  }
}

/** Copies one file and tells its bytes; a file that went away in the meantime has none. */
function copier(disk: Disk): (from: string, to: string) => number {
  const made = new Set<string>()
  return (from, to) => {
    const bytes = disk.read(from)
    if (bytes === undefined) return 0
    const folder = dirname(to)
    if (!made.has(folder)) makeFolders(disk, folder)
    made.add(folder)
    if (!disk.create(to, bytes)) throw new CopyProblem(`${to} was there already`)
    disk.sync(to)
    const size = disk.stat(to)?.sizeBytes
    if (size !== bytes.length) throw new CopyProblem(`${to} has ${size} bytes instead of ${bytes.length}`)
    return bytes.length
  }
}
