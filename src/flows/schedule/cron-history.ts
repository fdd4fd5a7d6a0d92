import { fromIso } from '../../core/millis.ts'
import { type RunRecord, type RunState, stateWord } from '../../core/run.ts'
import { agentNames, assertAgent } from '../../records/agents.ts'
import { peekRuns } from '../../records/runs.ts'
import type { World } from '../../world/world.ts'

/** One due moment and its end. */
export interface SlotEnd {
  job: string
  /** ISO */
  slot: string
  state: RunState | 'missed'
  reason: string
  /** How long after the slot its first run began; null when none did. */
  lateMs: number | null
  /** Runs on it; skips are none. */
  attempts: number
  /** Of the run or skip that was its end. */
  run: string
}

/** Records that are read for each slot that is shown: retries and skips, and other jobs of the agent. */
const recordsPerSlot = { team: 3, job: 60 }

/** The newest slots of the team, or of one `<agent>/<job>`, newest first. Reads only. */
export function slotHistory(
  { disk }: Pick<World, 'disk'>,
  root: string,
  { job, limit }: { job: string | undefined; limit: number },
): SlotEnd[] {
  const agent = job?.split('/')[0]
  if (agent !== undefined) assertAgent(disk, root, agent)
  const agents = agent === undefined ? agentNames(disk, root) : [agent]
  const depth = limit * (job === undefined ? recordsPerSlot.team : recordsPerSlot.job)
  const bySlot = new Map<string, RunRecord[]>()
  for (const record of agents.flatMap(name => peekRuns(disk, root, name, depth))) {
    const key = `${record.agent}/${record.job}`
    if (record.slot === null || (job !== undefined && key !== job)) continue
    const id = `${record.slot} ${key}`
    bySlot.set(id, [record, ...(bySlot.get(id) ?? [])])
  }
  return [...bySlot.entries()]
    .sort(([a], [b]) => Number(a < b) - Number(a > b))
    .slice(0, limit)
    .map(([, records]) => endOf(records))
}

/** Records of one slot, oldest first: what ran says more than what was skipped because of it. */
function endOf(records: readonly RunRecord[]): SlotEnd {
  const runs = records.filter(({ state }) => state !== 'skipped')
  const { agent, job, slot, state, reason, run } = (runs.at(-1) ?? records[0])!
  const began = runs[0] && fromIso(runs[0].startedAt)
  return {
    job: `${agent}/${job}`,
    slot: slot!,
    state: stateWord({ state, reason }),
    reason,
    lateMs: began === undefined ? null : Math.max(0, began - (fromIso(slot!) ?? began)),
    attempts: runs.length,
    run,
  }
}
