import { MemDisk } from './mem-disk.ts'
import { memHost } from './mem-host.ts'
import type { PowerLoss } from './mem-inode.ts'
import { MemLocks } from './mem-locks.ts'
import { MemTerminal } from './mem-terminal.ts'
import { type HttpScript, ScriptHttp } from './script-http.ts'
import { ScriptSpawn, type SpawnScript } from './script-spawn.ts'
import { SeededRandom } from './seeded-random.ts'
import { VirtualClock } from './virtual-clock.ts'
import type { Millis } from '../core/millis.ts'
import type { Host } from '../world/host.ts'
import type { World } from '../world/world.ts'

export interface SimOptions {
  /** Paths under `root` and their text, durable. */
  files?: Record<string, string | Uint8Array>
  /** Where `files` go; default `/ws`, which exists in any case. */
  root?: string
  /** Used as it is, in place of `files`. */
  disk?: MemDisk
  /** ISO or milliseconds. */
  now?: string | Millis
  seed?: number
  http?: HttpScript
  spawn?: SpawnScript
  host?: Partial<Host>
  /** What stdin holds. */
  stdin?: string
}

/** A world in memory, as one process sees it. */
export interface SimWorld extends World {
  disk: MemDisk
  locks: MemLocks
  clock: VirtualClock
  random: SeededRandom
  http: ScriptHttp
  spawn: ScriptSpawn
  terminal: MemTerminal
  /** Another process at the same time: same disk, locks, clock, network and programs. */
  another(): SimWorld
  /** This process ended, or the machine lost power; a new one begins with this world. */
  reboot(after?: 'process' | PowerLoss): void
}

export function simWorld(options: SimOptions = {}): SimWorld {
  const { files = {}, root = '/ws', now, seed = 1 } = options
  const clock = new VirtualClock(now)
  const disk = options.disk ?? MemDisk.fromTree(files, { root, now: () => clock.now() })
  disk.now = () => clock.now()
  return assemble({
    disk,
    clock,
    locks: new MemLocks(() => disk.isDead),
    random: new SeededRandom(seed, () => clock.now()),
    http: new ScriptHttp(options.http),
    spawn: new ScriptSpawn(options.spawn),
    terminal: new MemTerminal(options.stdin),
    host: memHost({ cwd: root, ...options.host }),
  })
}

function assemble(parts: Omit<SimWorld, 'another' | 'reboot'>): SimWorld {
  return {
    ...parts,
    another: () => {
      const disk = parts.disk.view()
      const pid = parts.host.pid + 1
      return assemble({
        ...parts,
        disk,
        locks: parts.locks.view(() => disk.isDead),
        random: new SeededRandom(pid, () => parts.clock.now()),
        terminal: new MemTerminal(),
        host: { ...parts.host, pid },
      })
    },
    reboot: after => {
      parts.disk.reboot(after)
      parts.locks.reboot()
    },
  }
}
