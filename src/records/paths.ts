import { stateDir } from '../store/state-dir.ts'

/*
 * Every path of a workspace; what the store needs itself stands in `store/state-dir.ts`.
 * `root` holds `claw.yaml`, is absolute and does not end in a slash: a run asks for some
 * hundred paths, and they are not made normal each time.
 */

export { backupsDir, blobsDir, keptAsideDir, lockFile, stateDir } from '../store/state-dir.ts'

// What people write
export const configFile = (root: string): string => `${root}/claw.yaml`
export const envFile = (root: string): string => `${root}/.env`
export const agentsDir = (root: string): string => `${root}/agents`
export const agentDir = (root: string, agent: string): string => `${root}/agents/${agent}`
export const jobsDir = (root: string, agent: string): string => `${agentDir(root, agent)}/jobs`
export const jobFile = (root: string, agent: string, job: string): string =>
  `${jobsDir(root, agent)}/${job}.md`
export const sharedDir = (root: string): string => `${root}/shared-context`

// What runs leave
export const incidentsFile = (root: string): string => `${sharedDir(root)}/incidents.json`
export const runsDir = (root: string, agent: string): string => `${sharedDir(root)}/agent-runs/${agent}`
export const jobStatusDir = (root: string): string => `${sharedDir(root)}/job-status`
export const jobStatusFile = (root: string, agent: string, job: string): string =>
  `${jobStatusDir(root)}/${agent}.${job}.json`
export const sessionsDir = (root: string, agent: string): string => `${agentDir(root, agent)}/sessions`
export const sessionFile = (root: string, agent: string, id: string): string =>
  `${sessionsDir(root, agent)}/${id}.jsonl`
export const sessionIndexFile = (root: string, agent: string): string =>
  `${sessionsDir(root, agent)}/sessions.json`

// Machine state
export const slotDir = (root: string, agent: string, job: string): string =>
  `${stateDir(root)}/slots/${agent}/${job}`
export const leaseFile = (root: string, name: string): string => `${stateDir(root)}/leases/${name}`
export const outboxDir = (root: string): string => `${stateDir(root)}/outbox`
export const eventsDir = (root: string): string => `${stateDir(root)}/events`
export const spendDir = (root: string): string => `${stateDir(root)}/spend`
export const watchFile = (root: string): string => `${stateDir(root)}/schedule.json`
export const tickFile = (root: string): string => `${stateDir(root)}/tick.json`
export const heartbeatFile = (root: string, agent: string): string =>
  `${stateDir(root)}/heartbeat/${agent}.json`
export const cooldownFile = (root: string): string => `${stateDir(root)}/cooldowns.json`
export const indexDir = (root: string): string => `${stateDir(root)}/index`
export const whenFile = (root: string, agent: string, job: string): string =>
  `${indexDir(root)}/when/${agent}.${job}.json`
export const collectorCacheDir = (root: string, agent: string): string => `${indexDir(root)}/collect/${agent}`
