import { dirname, join } from 'node:path'
import type { Disk } from '../../world/disk.ts'
import type { DayFacts } from './day-facts.ts'

/** Which files there are, how large, and how many in each folder, kept up from what was written. */
export class FilesWatch {
  bytes = 0
  readonly #disk: Disk
  readonly #root: string
  readonly #sizes = new Map<string, number>()
  readonly #inFolder = new Map<string, number>()

  constructor(disk: Disk, root: string) {
    this.#disk = disk
    this.#root = root
    for (const path of pathsBelow(disk, root)) this.#note(path)
  }

  get files(): number {
    return this.#sizes.size
  }

  /** The folder with the most files. */
  get fullest(): { folder: string; count: number } {
    let fullest = { folder: '', count: 0 }
    for (const [folder, count] of this.#inFolder) if (count > fullest.count) fullest = { folder, count }
    return fullest
  }

  countIn(folder: string): number {
    return this.#inFolder.get(folder) ?? 0
  }

  sizeOf(path: string): number {
    return this.#sizes.get(path) ?? 0
  }

  /** Paths that are there and may be new or changed. */
  changed(changed: DayFacts['changed']): string[] {
    const paths =
      changed === 'all' ? new Set([...this.#sizes.keys(), ...pathsBelow(this.#disk, this.#root)]) : changed
    return [...paths].filter(path => path.startsWith(`${this.#root}/`) && this.#note(path))
  }

  /** False when there is no such file. */
  #note(path: string): boolean {
    const stat = this.#disk.lstat(path)
    const before = this.#sizes.get(path)
    const after = stat?.kind === 'file' ? stat.sizeBytes : undefined
    this.bytes += (after ?? 0) - (before ?? 0)
    if (after === undefined) this.#sizes.delete(path)
    else this.#sizes.set(path, after)
    const gained = Number(after !== undefined) - Number(before !== undefined)
    const folder = dirname(path)
    if (gained !== 0) this.#inFolder.set(folder, (this.#inFolder.get(folder) ?? 0) + gained)
    return after !== undefined
  }
}

function pathsBelow(disk: Disk, dir: string): string[] {
  return (disk.list(dir) ?? []).flatMap(({ name, kind }) =>
    kind === 'directory' ? pathsBelow(disk, join(dir, name)) : [join(dir, name)],
  )
}
