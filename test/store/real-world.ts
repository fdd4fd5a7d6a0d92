import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { LeaseOwner } from '../../src/store/lease.ts'
import { nodeClock } from '../../src/world/node-clock.ts'
import { nodeDisk } from '../../src/world/node-disk.ts'
import { nodeHost } from '../../src/world/node-host.ts'
import { nodeLocks } from '../../src/world/node-locks.ts'
import { nodeRandom } from '../../src/world/node-random.ts'

/** What the store needs of a real world; `aheadMs` is the error of its clock. */
export function realWorld(aheadMs = 0) {
  const clock = nodeClock(Date.now() + aheadMs)
  return {
    disk: nodeDisk,
    locks: nodeLocks(),
    clock,
    random: nodeRandom(() => clock.now()),
    host: nodeHost(),
  }
}

export function hereOwner(run: string): LeaseOwner {
  const { hostname: host, processStart } = nodeHost()
  return { run, host, pid: process.pid, processStart, since: new Date().toISOString(), what: 'ainews/digest' }
}

export interface Holder {
  child: ChildProcessWithoutNullStreams
  /** The next line it prints; undefined when it ended. */
  says(): Promise<string | undefined>
}

/** Starts `holder.ts`; it is gone when the test ends. */
export function startHolder(t: TestContext, ...argv: string[]): Holder {
  const script = fileURLToPath(new URL('holder.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...argv])
  child.stderr.pipe(process.stderr)
  t.after(() => child.kill('SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    child,
    says: async () => {
      const { value, done } = await lines.next()
      return done ? undefined : value
    },
  }
}
