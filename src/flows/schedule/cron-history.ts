import { isBrokenMark } from '../../core/incident/broken-file.ts'
import { fromIso } from '../../core/millis.ts'
import { isBad, type RunRecord, type RunState, stateWord } from '../../core/run.ts'
import { agentNames, assertAgent } from '../../records/agents.ts'
import { peekIncidents } from '../../records/incidents.ts'
import { peekJobStatuses, peekRuns } from '../../records/runs.ts'
import type { World } from '../../world/world.ts'

/** One due moment and its end. */
export interface SlotEnd {
  job: string
  /** ISO; null where the file of the job is broken, so that none of its slots runs. */
  slot: string | null
  state: RunState | 'missed' | 'broken'
  reason: string
  /** How long after the slot its first run began; null when none did. */
  lateMs: number | null
  /** Runs on it; skips are none. */
  attempts: number
  /** Of the run or skip that was its end, or of the incident of a broken file. */
  run: string
}

/** Records that are read for each slot that is shown: retries and skips, and other jobs of the agent. */
const recordsPerSlot = 60

export interface HistoryRequest {
  /** `<agent>/<job>`; undefined for the team. */
  job: string | undefined
  limit: number
}

/**
 * Of one job its newest slots, newest first. Of the team the bad and missed ones first,
 * then the others, and of no job a further one before every job has had its turn. A job
 * whose file is broken comes before all. Reads only.
 */
export function slotHistory(
  { disk }: Pick<World, 'disk'>,
  root: string,
  { job, limit }: HistoryRequest,
): SlotEnd[] {
  const agent = job?.split('/')[0]
  if (agent !== undefined) assertAgent(disk, root, agent)
  const agents = agent === undefined ? agentNames(disk, root) : [agent]
  const ends = agents
    .flatMap(name => endsOf(peekRuns(disk, root, name, limit * recordsPerSlot)))
    .filter(end => job === undefined || end.job === job)
    .sort(newestFirst)
  const broken = brokenFiles(disk, root).filter(end => job === undefined || end.job === job)
  if (job !== undefined) return [...broken, ...ends].slice(0, limit)
  const shown = new Set(ends.map(end => end.job))
  const all = [...ends, ...latestEnds(disk, root).filter(end => !shown.has(end.job))].sort(newestFirst)
  return [...broken, ...inTurn(all, limit)].slice(0, limit)
}

/** So many bad and so many good slots of one job are shown before others have to give way to it. */
const fairShare = 3

/** Bad and missed ones first, each part newest first; one job gets more than its share only where there is room. */
function inTurn(ends: readonly SlotEnd[], limit: number): SlotEnd[] {
  const ranks = new Map<string, number>()
  const ranked = ends.map(end => {
    const place = `${end.job} ${isWrong(end)}`
    const rank = ranks.get(place) ?? 0
    ranks.set(place, rank + 1)
    const turn = rank >= fairShare ? 2 : isWrong(end) ? 0 : 1
    return { end, rank, turn }
  })
  const chosen = ranked.toSorted((a, b) => a.turn - b.turn || a.rank - b.rank).slice(0, limit)
  const shown = chosen.map(({ end }) => end).sort(newestFirst)
  return [...shown.filter(isWrong), ...shown.filter(end => !isWrong(end))]
}

function isWrong({ state }: SlotEnd): boolean {
  return state === 'missed' || (state !== 'broken' && isBad(state))
}

function newestFirst(a: SlotEnd, b: SlotEnd): number {
  const [one, other] = [a, b].map(({ slot, job }) => `${slot} ${job}`)
  return Number(one! < other!) - Number(one! > other!)
}

function endsOf(records: readonly RunRecord[]): SlotEnd[] {
  const bySlot = new Map<string, RunRecord[]>()
  for (const record of records) {
    if (record.slot === null || record.job === null) continue
    const id = `${record.slot} ${record.agent}/${record.job}`
    bySlot.set(id, [record, ...(bySlot.get(id) ?? [])])
  }
  return [...bySlot.values()].map(endOf)
}

/** What the newest records of an agent do not reach is known from the latest state of each job. */
function latestEnds(disk: World['disk'], root: string): SlotEnd[] {
  return [...peekJobStatuses(disk, root)].flatMap(([job, status]): SlotEnd[] => {
    const { slot, state, reason, run } = status
    if (slot === null) return []
    const attempts = state === 'skipped' ? 0 : 1
    return [{ job, slot, state: stateWord(status), reason, lateMs: null, attempts, run }]
  })
}

function brokenFiles(disk: World['disk'], root: string): SlotEnd[] {
  return peekIncidents(disk, root)
    .open.filter(({ signature }) => isBrokenMark(signature))
    .flatMap(({ id, jobs, since, reason }) =>
      Object.keys(jobs).map((job): SlotEnd => {
        const why = `since ${since.slice(0, 16)}Z: ${reason}`
        return { job, slot: null, state: 'broken', reason: why, lateMs: null, attempts: 0, run: id }
      }),
    )
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
