import { join } from 'node:path'
import { ClawError } from '../../core/claw-error.ts'
import type { RenderedFile } from '../../core/render/plan.ts'
import { ensureDir, replaceFile } from '../../store/atomic-file.ts'
import { readText } from '../../store/text.ts'
import type { World } from '../../world/world.ts'

/** The files of one workspace in a folder that belongs to the user. */
export interface UnitFolder {
  dir: string
  /** With what their names begin. */
  prefix: string
  /** What each of them holds and no other does. */
  own: string
}

export interface UnitChanges {
  write: RenderedFile[]
  remove: string[]
}

/** What makes the folder hold exactly `files`; throws `conflict` where a name is taken by a file of somebody else. */
export function unitChanges(
  { disk }: Pick<World, 'disk'>,
  folder: UnitFolder,
  files: readonly RenderedFile[],
): UnitChanges {
  const wanted = new Set(files.map(file => file.name))
  const own = ownFiles({ disk }, folder)
  const write = files.filter(({ name, text }) => {
    const path = join(folder.dir, name)
    if (disk.lstat(path) && !own.includes(name)) {
      throw new ClawError('conflict', `${path} is not claw's; nothing was written`, {
        hint: 'move it away, then try again',
      })
    }
    return readText(disk, path) !== text
  })
  return { write, remove: own.filter(name => !wanted.has(name)) }
}

export function applyUnitChanges(world: World, { dir }: UnitFolder, { write, remove }: UnitChanges): void {
  if (write.length > 0) ensureDir(world.disk, dir)
  for (const { name, text } of write) replaceFile(world, join(dir, name), text, { mode: 0o644 })
  for (const name of remove) removeUnit(world, dir, name)
}

/** Names of the files that claw wrote for this workspace. */
export function ownFiles({ disk }: Pick<World, 'disk'>, { dir, prefix, own }: UnitFolder): string[] {
  return (disk.list(dir) ?? [])
    .filter(({ name, kind }) => kind === 'file' && name.startsWith(prefix))
    .map(({ name }) => name)
    .filter(name => readText(disk, join(dir, name))?.includes(own))
}

/** With the link by which systemd remembers that a timer is on. */
function removeUnit({ disk }: World, dir: string, name: string): void {
  disk.remove(join(dir, name))
  const link = join(dir, 'timers.target.wants', name)
  if (disk.lstat(link)?.kind === 'symlink') disk.remove(link)
}
