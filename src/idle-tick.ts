import { findWorkspace } from './flows/find-workspace.ts'
import { idleUntil } from './flows/tick/due-file.ts'
import { noteTick } from './records/schedule.ts'
import { nodeClock } from './world/node-clock.ts'
import { nodeDisk } from './world/node-disk.ts'
import { nodeRandom } from './world/node-random.ts'

/**
 * `claw tick` with nothing due, before the program itself is loaded: the host calls
 * it each minute, and most minutes that is all there is to do. False when the
 * whole tick has to look, and say what is wrong.
 */
export function wasIdle(argv: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const given = plainTick(argv)
  if (!given || env['CLAW_NOW']) return false
  try {
    const clock = nodeClock()
    const host = { env, cwd: process.cwd() }
    const world = { disk: nodeDisk, clock, random: nodeRandom(() => clock.now()), host }
    const root = findWorkspace(world, given.root)
    if (idleUntil(world, root) === undefined) return false
    noteTick(world, root)
    if (!given.isQuiet) console.log('nothing is due')
    return true
  } catch {
    return false
  }
}

/** Undefined for anything but `[-C dir] [--quiet] tick`, in any order. */
function plainTick(argv: readonly string[]): { root: string | undefined; isQuiet: boolean } | undefined {
  const words = [...argv]
  const at = words.indexOf('-C')
  const root = at === -1 ? undefined : words.splice(at, 2)[1]
  const isQuiet = words.includes('--quiet')
  const left = words.filter(word => word !== '--quiet')
  const isPlain = left.length === 1 && left[0] === 'tick' && (at === -1 || root !== undefined)
  return isPlain ? { root, isQuiet } : undefined
}
