import type { DirEntry, EntryKind } from '../world/disk.ts'

/** The names in a folder, kept in order, so that to list them does not sort them each time. */
export class EntryNames {
  readonly #sorted: DirEntry[]

  constructor(entries: DirEntry[]) {
    this.#sorted = entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  all(): DirEntry[] {
    return this.#sorted.slice()
  }

  /** Undefined takes the name out. */
  change(name: string, kind: EntryKind | undefined): void {
    const at = this.#placeOf(name)
    const isThere = this.#sorted[at]?.name === name
    if (kind === undefined) this.#sorted.splice(at, Number(isThere))
    else this.#sorted.splice(at, Number(isThere), { name, kind })
  }

  /** Where it stands, or would. */
  #placeOf(name: string): number {
    let from = 0
    let to = this.#sorted.length
    while (from < to) {
      const middle = (from + to) >> 1
      if (this.#sorted[middle]!.name < name) from = middle + 1
      else to = middle
    }
    return from
  }
}
