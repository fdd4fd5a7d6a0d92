import type { IncidentBook } from '../core/incident.ts'
import { isBrokenMark } from '../core/incident/broken-file.ts'
import { minuteMs, toIso } from '../core/millis.ts'
import { isBad, type RunRecord, type RunState } from '../core/run.ts'
import { agentNames, assertAgent } from '../records/agents.ts'
import { peekIncidents } from '../records/incidents.ts'
import { jobNames } from '../records/jobs.ts'
import { peekOpenDeliveries } from '../records/outbox.ts'
import { peekJobStatuses, peekRuns } from '../records/runs.ts'
import type { World } from '../world/world.ts'
import { peekDueIndex } from './tick/due-file.ts'
import { type ScheduleState, scheduleState } from './schedule/missed-slots.ts'

export interface AgentLine {
  agent: string
  jobs: number
  last: { run: string; job: string | null; state: RunState; reason: string; at: string } | null
  /** Jobs whose latest run was bad. */
  bad: string[]
  /** Jobs whose latest slots were not run in time, and how many. */
  missed: { job: string; count: number; lastSlot: string | null }[]
}

export interface TeamStatus {
  agents: AgentLine[]
  outbox: { queued: number; failed: number; unknown: number }
  schedule: Pick<ScheduleState, 'lastTick' | 'missed'>
  /** Job files that the last tick could not read: `file:line:column: why`. */
  broken: string[]
  /** Set when the host does not wake the team any more. */
  warning: string | undefined
  /** By `<agent>/<job>`. */
  paused: IncidentBook['paused']
  /** Causes of failure that are not over; `seen` says that a person has acknowledged it. */
  incidents: IncidentLine[]
}

export interface IncidentLine {
  id: string
  jobs: string[]
  /** Bad runs; 0 where the file of the job cannot be used. */
  count: number
  /** Whether it is a job file that cannot be used. */
  isBroken: boolean
  since: string
  reason: string
  seen: boolean
}

/** The team at a glance, from derived files and log tails: the cost does not grow with history. Reads only. */
export async function teamStatus(world: World, root: string, only?: string): Promise<TeamStatus> {
  const { disk } = world
  if (only !== undefined) assertAgent(disk, root, only)
  const statuses = [...peekJobStatuses(disk, root).values()]
  const names = only === undefined ? agentNames(disk, root) : [only]
  const agents = names.map(agent => {
    const last = lastRun(world, root, agent)
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
      missed: statuses
        .filter(status => status.agent === agent && (status.missedInRow ?? 0) > 0)
        .map(({ job, missedInRow, slot }) => ({ job, count: missedInRow, lastSlot: slot })),
    }
  })
  const { lastTick, missed, warning } = await scheduleState(world, root)
  return {
    agents,
    outbox: outboxCounts(world, root),
    schedule: { lastTick, missed },
    warning,
    broken: peekDueIndex(disk, root)?.told.filter(line => /^agents\/.+\.md:\d+/.test(line)) ?? [],
    ...troubles(peekIncidents(disk, root), only),
  }
}

/** A clock that ran ahead leaves records of the future; they are not what happened last. */
const lookBack = 30

function lastRun({ disk, clock }: World, root: string, agent: string): RunRecord | undefined {
  const now = toIso(clock.now() + minuteMs)
  const [newest] = peekRuns(disk, root, agent, 1)
  if (!newest || newest.startedAt <= now) return newest
  return peekRuns(disk, root, agent, lookBack).find(record => record.startedAt <= now)
}

function outboxCounts({ disk }: World, root: string): TeamStatus['outbox'] {
  const open = peekOpenDeliveries(disk, root)
  const count = (...states: string[]): number =>
    open.filter(delivery => states.includes(delivery.state)).length
  return { queued: count('queued', 'sending'), failed: count('failed'), unknown: count('unknown') }
}

function troubles({ paused, open }: IncidentBook, only?: string): Pick<TeamStatus, 'paused' | 'incidents'> {
  const isMeant = (job: string): boolean => only === undefined || job.startsWith(`${only}/`)
  return {
    paused: Object.fromEntries(Object.entries(paused).filter(([job]) => isMeant(job))),
    incidents: open
      .map(({ id, signature, jobs, count, since, reason, acknowledged }) => {
        const isBroken = isBrokenMark(signature)
        return { id, jobs: Object.keys(jobs), count, isBroken, since, reason, seen: acknowledged !== null }
      })
      .filter(({ jobs }) => jobs.some(isMeant)),
  }
}
