import { ProcessDeath } from './process-death.ts'
import type { LockHandle, Locks } from '../world/locks.ts'

interface Holding {
  by: MemLocks
}

/** One process's view of the kernel's locks; `view` makes that of another process. */
export class MemLocks implements Locks {
  /** Who holds a path; each try makes an entry of its own. */
  readonly #table: Map<string, Holding>
  readonly #isDead: () => boolean

  /** `isDead` tells whether this process is gone: then it can take nothing any more. */
  constructor(isDead: () => boolean = () => false, table: Map<string, Holding> = new Map()) {
    this.#isDead = isDead
    this.#table = table
  }

  view(isDead?: () => boolean): MemLocks {
    return new MemLocks(isDead, this.#table)
  }

  tryLock(path: string): LockHandle | undefined {
    if (this.#isDead()) throw new ProcessDeath(`lock ${path}, after its death`)
    if (this.#table.has(path)) return undefined
    const holding: Holding = { by: this }
    this.#table.set(path, holding)
    return {
      release: () => {
        if (this.#table.get(path) === holding) this.#table.delete(path)
      },
    }
  }

  /** Paths that are held, by any process. */
  held(): string[] {
    return [...this.#table.keys()].sort()
  }

  /** The kernel frees what this process held. */
  reboot(): void {
    for (const [path, { by }] of this.#table) if (by === this) this.#table.delete(path)
  }
}
