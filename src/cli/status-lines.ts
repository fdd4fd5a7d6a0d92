import type { TeamStatus } from '../flows/team-status.ts'
import type { Out } from './out.ts'

export type StatusReport = Omit<TeamStatus, 'warning'>

/** What went wrong stands beside the agent, or where there is no room, below. */
export function agentLines(out: Out, report: StatusReport): string[] {
  const rows = agentRows(out, report)
  const wrong = rows.map(row => row.at(-1)!)
  const isNarrow = out.columns < 120
  const shown = isNarrow ? rows.map(row => row.slice(0, -1)) : rows
  const table = out.table(shown, undefined, { drops: [1, 2], ...(isNarrow && { shrinks: 3 }) })
  if (!isNarrow) return [table]
  return [
    table,
    ...rows.flatMap(([agent], index) => (wrong[index] === '' ? [] : [`${agent} ${wrong[index]}`])),
  ]
}

function agentRows(out: Out, { agents }: StatusReport): string[][] {
  return agents.map(line => [
    line.agent,
    `${line.jobs} ${line.jobs === 1 ? 'job' : 'jobs'}`,
    line.last ? `${line.last.at.slice(0, 16).replace('T', ' ')}Z` : 'never ran',
    line.last ? `${line.last.job ?? '-m'}: ${line.last.state}` : '',
    line.bad.length > 0 ? out.style('red', `needs a look: ${line.bad.join(', ')}`) : '',
  ])
}

export function missedLines(out: Out, { agents }: StatusReport): string[] {
  const missed = agents.flatMap(({ agent, missed: jobs }) => jobs.map(job => ({ ...job, agent })))
  if (missed.length === 0) return []
  const count = missed.reduce((sum, job) => sum + job.count, 0)
  const newest = missed.toSorted(
    (a, b) => Number(a.lastSlot! < b.lastSlot!) - Number(a.lastSlot! > b.lastSlot!),
  )
  const names = newest.slice(0, 5).map(({ agent, job, count: slots }) => `${agent}/${job} ${slots}`)
  const more = missed.length > 5 ? ` and ${missed.length - 5} more jobs` : ''
  return [
    `${out.style('yellow', 'missed')} ${count} ${count === 1 ? 'slot' : 'slots'} were not run in time: ${names.join(', ')}${more} (claw cron history)`,
  ]
}

export function scheduleLines({ schedule: { lastTick } }: StatusReport): string[] {
  return lastTick === null ? [] : [`last tick ${lastTick.slice(0, 16).replace('T', ' ')}Z`]
}

export function pausedLines(out: Out, { paused }: StatusReport): string[] {
  return Object.entries(paused).map(
    ([job, { at, reason }]) =>
      `${out.style('yellow', 'paused')} ${job} since ${at.slice(0, 16)}Z: ${reason} (claw cron resume ${job})`,
  )
}

/** An incident that says the same stands below. */
export function isTold({ incidents }: StatusReport, line: string): boolean {
  return incidents.some(({ reason, seen }) => !seen && reason === line)
}

function incidentText({ jobs, count, isBroken, since, reason }: StatusReport['incidents'][number]): string {
  const what = isBroken
    ? `its file is broken since ${since.slice(0, 16)}Z`
    : `${count} bad ${count === 1 ? 'run' : 'runs'}`
  return `${jobs.join(', ')}: ${what}, ${reason}`
}

export function incidentLines(out: Out, { incidents }: StatusReport): string[] {
  const open = incidents.filter(({ seen }) => !seen)
  const seen = incidents.length - open.length
  return [
    ...open.map(
      incident =>
        `${out.style('red', 'incident')} ${incidentText(incident)} (claw incidents ack ${incident.id})`,
    ),
    ...(seen > 0
      ? [`${seen} acknowledged ${seen === 1 ? 'incident' : 'incidents'} (claw incidents list --all)`]
      : []),
  ]
}
