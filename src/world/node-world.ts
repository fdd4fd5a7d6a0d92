import type { Http } from './http.ts'
import { nodeClock } from './node-clock.ts'
import { nodeDisk } from './node-disk.ts'
import { nodeHost } from './node-host.ts'
import { nodeLocks } from './node-locks.ts'
import { nodeRandom } from './node-random.ts'
import { nodeSpawn } from './node-spawn.ts'
import { nodeTerminal } from './node-terminal.ts'
import type { World } from './world.ts'
import type { Millis } from '../core/millis.ts'

export interface NodeWorldOptions {
  /** Where the clock of this process begins; default the machine's time. */
  now?: Millis
  http: Http
}

/** The real world. Nothing heavy is loaded before it is used. */
export function nodeWorld({ now, http }: NodeWorldOptions): World {
  const clock = nodeClock(now)
  const host = nodeHost()
  return {
    disk: nodeDisk,
    locks: nodeLocks(),
    clock,
    random: nodeRandom(() => clock.now()),
    http,
    spawn: nodeSpawn,
    terminal: nodeTerminal(host.env),
    host,
  }
}
