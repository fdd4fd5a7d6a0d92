import { errnoName } from './node-errno.ts'

/** Time to end by itself after SIGTERM, then SIGKILL. */
const termGraceMs = 500

/** The kernel needs a moment to take a killed process away; one stuck in a dead device never goes. */
const killWaitMs = 2000

const pollMs = 10

/** Ends every process of the group, and returns when none is left. False when some could not be ended. */
export async function endGroup(groupId: number): Promise<boolean> {
  if (!signalGroup(groupId, 'SIGTERM')) return true
  if (await isGone(groupId, termGraceMs)) return true
  signalGroup(groupId, 'SIGKILL')
  return isGone(groupId, killWaitMs)
}

/** False when there was nothing to signal. */
export function signalGroup(groupId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-groupId, signal)
  } catch (error) {
    // EPERM: there is one, of another user.
    if (errnoName(error) === 'ESRCH') return false
    if (errnoName(error) === 'EPERM') return true
    throw error
  }
}

async function isGone(groupId: number, limitMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < limitMs; waitedMs += pollMs) {
    if (!signalGroup(groupId, 0)) return true
    await new Promise(resolve => setTimeout(resolve, pollMs))
  }
  return !signalGroup(groupId, 0)
}
