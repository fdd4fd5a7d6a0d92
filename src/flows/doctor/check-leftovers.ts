import { dirname, join, relative } from 'node:path'
import { hourMs } from '../../core/millis.ts'
import { isDraft } from '../../store/atomic-file.ts'
import type { DirEntry } from '../../world/disk.ts'
import type { Check, CheckInput, Repairable } from './finding.ts'

/** What is not for other users of the machine. */
const privatePaths = /^(\.env|\.claw|agents\/[^/]+\/sessions)(\/|$)/

/** Left alone by a walk: the user's repository, and what others installed. */
const passedOver = new Set(['.git', 'node_modules'])

/** Drafts of processes that died, and private files that others may read. */
export const checkLeftovers: Check = input => {
  const findings: Repairable[] = []
  walk(input, '', (path, entry) => {
    if (entry.kind === 'file' && isDraft(entry.name)) findings.push(...draftFinding(input, path))
    if (privatePaths.test(path) && entry.kind !== 'symlink') findings.push(...modeFinding(input, path))
  })
  return findings
}

function walk(input: CheckInput, below: string, visit: (path: string, entry: DirEntry) => void): void {
  for (const entry of input.world.disk.list(join(input.root, below)) ?? []) {
    if (passedOver.has(entry.name)) continue
    const path = below === '' ? entry.name : `${below}/${entry.name}`
    visit(path, entry)
    if (entry.kind === 'directory') walk(input, path, visit)
  }
}

function draftFinding({ world, root }: CheckInput, path: string): Repairable[] {
  const file = join(root, path)
  const stat = world.disk.lstat(file)
  if (!stat || world.clock.now() - stat.mtimeMs < hourMs) return []
  return [
    {
      level: 'note',
      check: 'drafts',
      path,
      text: 'a draft of a process that died',
      fix: 'remove it',
      repair: () => {
        if (world.disk.remove(file)) world.disk.sync(dirname(file))
      },
    },
  ]
}

function modeFinding({ world, root }: CheckInput, path: string): Repairable[] {
  const file = join(root, path)
  const stat = world.disk.stat(file)
  if (!stat || (stat.mode & 0o077) === 0) return []
  const mode = stat.kind === 'directory' ? 0o700 : 0o600
  return [
    {
      level: path.startsWith('.env') ? 'warning' : 'note',
      check: 'modes',
      path: relative(root, file),
      text: `other users may read it (mode ${(stat.mode & 0o777).toString(8)})`,
      fix: `chmod ${mode.toString(8)}`,
      repair: () => {
        world.disk.chmod(file, mode)
        world.disk.sync(file)
      },
    },
  ]
}
