import { writeSync } from 'node:fs'
import { isClawError } from '../../../src/core/claw-error.ts'
import { nodeWorld } from '../../../src/world/node-world.ts'
import type { World } from '../../../src/world/world.ts'

const offline = { request: () => Promise.reject(new Error('no network here')) }

/** The real world of a small program. */
export function workerWorld(): World {
  return nodeWorld({ http: offline })
}

/**
 * A program `<dir> <id>...` that does one thing for each id and then says
 * `ACK <id>`; problems end it as they end the command: one line, one exit code.
 */
export async function eachId(act: (world: World, dir: string, id: string) => Promise<void>): Promise<void> {
  const [dir = '', ...ids] = process.argv.slice(2)
  const world = workerWorld()
  try {
    for (const id of ids) {
      await act(world, dir, id)
      writeSync(1, `ACK ${id}\n`)
    }
  } catch (error) {
    if (!isClawError(error)) throw error
    writeSync(2, `claw: ${error.message}\n${error.hint === undefined ? '' : `  ${error.hint}\n`}`)
    process.exit(error.exitCode)
  }
}

/** How long the holder of a lock may be waited for, from the environment. */
export const waitMs = Number(process.env['WAIT_MS'] ?? 10_000)
