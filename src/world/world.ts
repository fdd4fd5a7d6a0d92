import type { Clock } from './clock.ts'
import type { Disk } from './disk.ts'
import type { Host } from './host.ts'
import type { Http } from './http.ts'
import type { Locks } from './locks.ts'
import type { Random } from './random.ts'
import type { Spawn } from './spawn.ts'
import type { Terminal } from './terminal.ts'

/** All that is outside: handed in, so that a day or a year can run in memory. */
export interface World {
  disk: Disk
  locks: Locks
  clock: Clock
  random: Random
  http: Http
  spawn: Spawn
  terminal: Terminal
  host: Host
}
