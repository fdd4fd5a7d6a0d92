import { ClawError } from '../core/claw-error.ts'
import { nearestHint } from '../core/nearest.ts'
import { exitOfState, type RunRecord } from '../core/run.ts'
import { agentNames, assertAgent } from '../records/agents.ts'
import { findRun, peekRuns } from '../records/runs.ts'
import type { World } from '../world/world.ts'

export interface RunFilter {
  limit: number
  agent: string | undefined
  /** `<agent>/<job>` */
  job: string | undefined
  state: string | undefined
}

/** How much further back a filtered listing looks than what it shows. */
const filteredDepth = 50

/** The newest runs that pass the filter, newest first. */
export function listRuns({ disk }: Pick<World, 'disk'>, root: string, filter: RunFilter): RunRecord[] {
  const states = Object.keys(exitOfState)
  if (filter.state !== undefined && !states.includes(filter.state)) {
    throw new ClawError('usage', `no state ${filter.state}`, {
      hint: nearestHint(filter.state, states, 'states'),
    })
  }
  const agent = filter.agent ?? filter.job?.split('/')[0]
  if (agent !== undefined) assertAgent(disk, root, agent)
  const agents = agent === undefined ? agentNames(disk, root) : [agent]
  const isFiltered = filter.state !== undefined || filter.job !== undefined
  const depth = isFiltered ? filter.limit * filteredDepth : filter.limit
  return agents
    .flatMap(name => peekRuns(disk, root, name, depth))
    .filter(record => filter.state === undefined || record.state === filter.state)
    .filter(({ agent: of, job }) => filter.job === undefined || `${of}/${job}` === filter.job)
    .sort((a, b) => (a.startedAt < b.startedAt ? 1 : a.startedAt > b.startedAt ? -1 : 0))
    .slice(0, filter.limit)
}

/** One run by its id; throws `not-found`. */
export function showRun({ disk }: Pick<World, 'disk'>, root: string, run: string): RunRecord {
  for (const agent of agentNames(disk, root)) {
    const record = findRun(disk, root, agent, run)
    if (record) return record
  }
  throw new ClawError('not-found', `no run ${run}`, { hint: 'claw runs lists them' })
}
