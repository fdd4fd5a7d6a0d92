import { join, relative, sep } from 'node:path'
import type { FileRefused } from '../core/file-ops.ts'
import { decidePath, decideRelative, type PathAsk } from '../core/paths-policy.ts'
import { type Disk, DiskError, type FileStat } from '../world/disk.ts'

export interface FoundPath {
  kind: 'found'
  /** Absolute, all links resolved, spelt as on disk. */
  real: string
  /** Relative to the workspace, `/` between names: where it really is. */
  path: string
  /** Undefined when nothing is there yet. */
  stat: FileStat | undefined
}

/**
 * From what a model named to the one file that is meant. The policy is asked
 * twice: of the name, and of where links really lead. Reads `disk` only.
 */
export function findPath(disk: Disk, root: string, ask: PathAsk): FoundPath | FileRefused {
  const decision = decidePath(ask)
  if (decision.kind === 'refused') return decision
  let first: FoundPath | FileRefused | undefined
  for (const candidate of decision.candidates) {
    const found = followPath(disk, root, candidate, ask)
    if (found.kind === 'found' && found.stat) return found
    first ??= found
  }
  return first ?? refused('absent', `${ask.path} does not exist`)
}

/** Where a path that the name rules allow really leads. */
export function followPath(
  disk: Disk,
  root: string,
  candidate: string,
  ask: PathAsk,
): FoundPath | FileRefused {
  try {
    return follow(disk, root, candidate, ask)
  } catch (error) {
    if (error instanceof DiskError && unreachable.has(error.code)) {
      return refused('no-access', `${ask.path} cannot be reached (${error.code})`)
    }
    throw error
  }
}

export function refused(reason: FileRefused['reason'], why: string): FileRefused {
  return { kind: 'refused', reason, why }
}

/** What a name can cause; everything else is the disk's failure. */
const unreachable: ReadonlySet<string> = new Set([
  'EACCES',
  'EPERM',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EINVAL',
])

function follow(disk: Disk, root: string, candidate: string, ask: PathAsk): FoundPath | FileRefused {
  const realRoot = disk.realpath(root) ?? root
  const { existing, missing } = deepestExisting(disk, realRoot, candidate.split('/'))
  const link = disk.lstat(existing)
  const base = disk.realpath(existing)
  if (base === undefined)
    return refused('dangling-link', `${ask.path} goes through a link that leads nowhere`)
  const real = join(base, ...missing)
  const outside = relative(realRoot, real)
  if (outside === '..' || outside.startsWith(`..${sep}`) || outside.startsWith(sep)) {
    return refused('outside', `${ask.path} leads out of the workspace through a link`)
  }
  const path = outside.split(sep).join('/')
  const again = decideRelative(path, ask)
  if (again) return again
  const stat = missing.length === 0 ? disk.stat(real) : undefined
  if (stat?.kind === 'other' || link?.kind === 'other')
    return refused('special', `${ask.path} is no ordinary file`)
  if (missing.length > 0 && disk.stat(base)?.kind !== 'directory') {
    return refused('not-a-file', `${ask.path}: a part of the path is no folder`)
  }
  return { kind: 'found', real, path, stat }
}

/** Walks name by name; a name that differs in Unicode form only is found as well. */
function deepestExisting(
  disk: Disk,
  root: string,
  names: readonly string[],
): { existing: string; missing: string[] } {
  let existing = root
  for (const [index, name] of names.entries()) {
    const spelt = spelling(disk, existing, name)
    if (spelt === undefined)
      return { existing, missing: names.slice(index).map(part => part.normalize('NFC')) }
    existing = join(existing, spelt)
  }
  return { existing, missing: [] }
}

function spelling(disk: Disk, folder: string, name: string): string | undefined {
  if (disk.lstat(join(folder, name))) return name
  // oxlint-disable-next-line no-control-regex
  if (!/[^\u0000-\u007F]/.test(name)) return undefined
  if (disk.stat(folder)?.kind !== 'directory') return undefined
  const form = name.normalize('NFC')
  return disk.list(folder)?.find(entry => entry.name.normalize('NFC') === form)?.name
}
