import { dirname, join } from 'node:path'
import { type Disk, DiskError } from '../../world/disk.ts'
import { sha256 } from '../../world/hash.ts'
import type { World } from '../../world/world.ts'
import type { Channel } from './channel.ts'

/**
 * One file for each message, named by its key: sending the same key again finds
 * the file and changes nothing. The name appears only with the whole text in it.
 */
export function fileChannel(name: string, world: Pick<World, 'disk' | 'random'>, folder: string): Channel {
  return {
    name,
    kind: 'keyed',
    maxUnits: undefined,
    async send(text, key) {
      const path = join(folder, fileName(key))
      try {
        publish(world, path, text)
        return { kind: 'sent', ref: path }
      } catch (error) {
        if (!(error instanceof DiskError)) throw error
        return { kind: 'refused', why: `${path} could not be written (${error.code})`, permanent: false }
      }
    },
  }
}

/** The key as it is where it can be a name; a hash keeps two keys apart that would be spelt alike. */
function fileName(key: string): string {
  const plain = key
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 120)
  return plain === key ? `${plain}.md` : `${plain}-${sha256(key).slice(0, 8)}.md`
}

function publish({ disk, random }: Pick<World, 'disk' | 'random'>, path: string, text: string): void {
  if (disk.lstat(path)) return sync(disk, dirname(path))
  makeFolder(disk, dirname(path))
  const draft = `${path}.${random.hex(8)}.draft`
  try {
    disk.create(draft, Buffer.from(text.endsWith('\n') ? text : `${text}\n`, 'utf8'))
    disk.sync(draft)
    disk.link(draft, path)
  } finally {
    disk.remove(draft)
  }
  sync(disk, dirname(path))
}

/** A file that an earlier, crashed send made may have a name that is not yet safe. */
function sync(disk: Disk, folder: string): void {
  disk.sync(folder)
}

function makeFolder(disk: Disk, folder: string): void {
  if (disk.stat(folder)) return
  makeFolder(disk, dirname(folder))
  disk.mkdir(folder)
  disk.sync(dirname(folder))
}
