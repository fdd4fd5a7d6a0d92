import { isBad, type RunState } from '../core/run.ts'
import { agentNames, assertAgent } from '../records/agents.ts'
import { jobNames } from '../records/jobs.ts'
import { peekOpenDeliveries } from '../records/outbox.ts'
import { peekJobStatuses, peekRuns } from '../records/runs.ts'
import type { World } from '../world/world.ts'

export interface AgentLine {
  agent: string
  jobs: number
  last: { run: string; job: string | null; state: RunState; reason: string; at: string } | null
  /** Jobs whose latest run was bad. */
  bad: string[]
}

export interface TeamStatus {
  agents: AgentLine[]
  outbox: { queued: number; failed: number; unknown: number }
}

/** The team at a glance, from derived files and log tails: the cost does not grow with history. Reads only. */
export function teamStatus({ disk }: Pick<World, 'disk'>, root: string, only?: string): TeamStatus {
  if (only !== undefined) assertAgent(disk, root, only)
  const statuses = [...peekJobStatuses(disk, root).values()]
  const names = only === undefined ? agentNames(disk, root) : [only]
  const agents = names.map(agent => {
    const last = peekRuns(disk, root, agent, 1)[0]
    const bad = statuses.filter(status => status.agent === agent && isBad(status.state))
    return {
      agent,
      jobs: jobNames(disk, root, agent).length,
      last: last
        ? { run: last.run, job: last.job, state: last.state, reason: last.reason, at: last.startedAt }
        : null,
      bad: bad.map(
        status =>
          `${status.job} (${status.state}${status.failuresInRow > 1 ? `, ${status.failuresInRow} in a row` : ''})`,
      ),
    }
  })
  const open = peekOpenDeliveries(disk, root)
  const count = (...states: string[]): number =>
    open.filter(delivery => states.includes(delivery.state)).length
  return {
    agents,
    outbox: { queued: count('queued', 'sending'), failed: count('failed'), unknown: count('unknown') },
  }
}
