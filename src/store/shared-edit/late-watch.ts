import { ClawError } from '../../core/claw-error.ts'
import { DiskError } from '../../world/disk.ts'
import type { PublishWorld } from './shared-publish.ts'
import { keepBackup } from './shared-publish.ts'
import { orNotRecorded } from '../recorded.ts'
import type { Settled } from './settled-read.ts'
import { decodeText } from '../text.ts'
import { unionMerge, withAdditions } from './union-merge.ts'

interface Watched {
  path: string
  base: string
  /** Merged so far. */
  taken: string
  /** Of the last look: what is equal in two looks is whole. */
  seen: string
}

/**
 * Replaced files that an editor may still have open: what it saves into one
 * would be lost with it. Only additions are taken over, since a save that is
 * halfway through looks like a removal.
 */
export class LateWatch {
  readonly #world: PublishWorld
  readonly #backups: string
  readonly #watched: Watched[] = []

  constructor(world: PublishWorld, backups: string) {
    this.#world = world
    this.#backups = backups
  }

  add(path: string | undefined, base: Settled | undefined): void {
    if (path === undefined || base === undefined) return
    this.#watched.push({ path, base: base.text, taken: base.text, seen: base.text })
  }

  /** `text` with what came late. */
  async merge(text: string): Promise<string> {
    let merged = text
    for (const watched of this.#watched) {
      const late = this.#read(watched.path) ?? watched.taken
      const isWhole = late === watched.seen && late.length * 2 >= watched.base.length
      watched.seen = late
      if (late === watched.taken || !isWhole) continue
      watched.taken = late
      const theirs = await withAdditions(watched.base, late)
      merged = await unionMerge({ base: watched.base, ours: merged, theirs })
    }
    return merged
  }

  /** False while something came that is not merged yet. */
  isQuiet(): boolean {
    return this.#watched.every(({ seen, taken }) => seen === taken)
  }

  /** What never became whole is kept among the backups; what cannot be kept stays under its draft name. */
  end(): void {
    for (const { path, taken } of this.#watched) {
      try {
        const late = this.#world.disk.read(path)
        if (late !== undefined && decodeText(late) !== taken) keepBackup(this.#world, this.#backups, late)
        this.#world.disk.remove(path)
      } catch (error) {
        if (!(error instanceof DiskError || error instanceof ClawError)) throw error
      }
    }
  }

  #read(path: string): string | undefined {
    const bytes = orNotRecorded(path, () => this.#world.disk.read(path))
    return bytes && decodeText(bytes)
  }
}
