import { ClawError } from '../core/claw-error.ts'
import { nearestHint } from '../core/nearest.ts'
import type { Disk } from '../world/disk.ts'
import { agentDir, agentsDir } from './paths.ts'

/** Names of the agents: the folders of `agents/`, sorted. */
export function agentNames(disk: Disk, root: string): string[] {
  const entries = disk.list(agentsDir(root)) ?? []
  return entries
    .filter(entry => entry.kind === 'directory' && !entry.name.startsWith('.'))
    .map(entry => entry.name)
}

/** Throws `not-found` with the nearest name. */
export function assertAgent(disk: Disk, root: string, agent: string): void {
  if (/^[\w-]+$/.test(agent) && disk.stat(agentDir(root, agent))?.kind === 'directory') return
  throw new ClawError('not-found', `no agent ${agent}`, {
    hint: nearestHint(agent, agentNames(disk, root), 'agents'),
  })
}
