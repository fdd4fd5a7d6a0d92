import { join } from 'node:path'
import { stateDir } from '../store/state-dir.ts'

/** Every path of a workspace; what the store needs itself stands in `store/state-dir.ts`. `root` holds `claw.yaml`. */

export { backupsDir, blobsDir, keptAsideDir, lockFile, stateDir } from '../store/state-dir.ts'

// What people write
export const configFile = (root: string): string => join(root, 'claw.yaml')
export const envFile = (root: string): string => join(root, '.env')
export const agentsDir = (root: string): string => join(root, 'agents')
export const agentDir = (root: string, agent: string): string => join(root, 'agents', agent)
export const jobsDir = (root: string, agent: string): string => join(agentDir(root, agent), 'jobs')
export const jobFile = (root: string, agent: string, job: string): string =>
  join(jobsDir(root, agent), `${job}.md`)
export const sharedDir = (root: string): string => join(root, 'shared-context')

// What runs leave
export const incidentsFile = (root: string): string => join(sharedDir(root), 'incidents.json')
export const runsDir = (root: string, agent: string): string => join(sharedDir(root), 'agent-runs', agent)
export const jobStatusDir = (root: string): string => join(sharedDir(root), 'job-status')
export const jobStatusFile = (root: string, agent: string, job: string): string =>
  join(jobStatusDir(root), `${agent}.${job}.json`)
export const sessionsDir = (root: string, agent: string): string => join(agentDir(root, agent), 'sessions')
export const sessionFile = (root: string, agent: string, id: string): string =>
  join(sessionsDir(root, agent), `${id}.jsonl`)
export const sessionIndexFile = (root: string, agent: string): string =>
  join(sessionsDir(root, agent), 'sessions.json')

// Machine state
export const slotDir = (root: string, agent: string, job: string): string =>
  join(stateDir(root), 'slots', agent, job)
export const leaseFile = (root: string, name: string): string => join(stateDir(root), 'leases', name)
export const outboxDir = (root: string): string => join(stateDir(root), 'outbox')
export const eventsDir = (root: string): string => join(stateDir(root), 'events')
export const spendDir = (root: string): string => join(stateDir(root), 'spend')
export const watchFile = (root: string): string => join(stateDir(root), 'schedule.json')
export const tickFile = (root: string): string => join(stateDir(root), 'tick.json')
export const heartbeatFile = (root: string, agent: string): string =>
  join(stateDir(root), 'heartbeat', `${agent}.json`)
export const cooldownFile = (root: string): string => join(stateDir(root), 'cooldowns.json')
export const indexDir = (root: string): string => join(stateDir(root), 'index')
export const whenFile = (root: string, agent: string, job: string): string =>
  join(indexDir(root), 'when', `${agent}.${job}.json`)
export const collectorCacheDir = (root: string, agent: string): string =>
  join(indexDir(root), 'collect', agent)
