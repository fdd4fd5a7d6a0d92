import { teamStatus, type TeamStatus } from '../../flows/team-status.ts'
import { type Action, textOption } from '../command.ts'
import type { Out } from '../out.ts'

type Report = Omit<TeamStatus, 'warning'>

export const status: Action = async ({ world, root, out }, _args, options) => {
  const { warning, ...report } = await teamStatus(world, root(), textOption(options, 'agent'))
  if (warning !== undefined) out.warn(warning)
  const { queued, unknown, failed } = report.outbox
  const text = [
    out.table(agentRows(out, report)),
    `outbox: ${queued} waiting, ${failed} failed, ${unknown} not known to have arrived${queued + unknown + failed > 0 ? ' (claw outbox list)' : ''}`,
    ...missedLines(out, report),
    ...report.broken.map(line => `${out.style('red', 'broken')} ${line}`),
    ...scheduleLines(report),
    ...pausedLines(out, report),
    ...incidentLines(out, report),
  ].join('\n')
  out.result(report, text)
}

function agentRows(out: Out, { agents }: Report): string[][] {
  return agents.map(line => [
    line.agent,
    `${line.jobs} ${line.jobs === 1 ? 'job' : 'jobs'}`,
    line.last ? `${line.last.at.slice(0, 16).replace('T', ' ')}Z` : 'never ran',
    line.last ? `${line.last.job ?? '-m'}: ${line.last.state}` : '',
    line.bad.length > 0 ? out.style('red', `needs a look: ${line.bad.join(', ')}`) : '',
  ])
}

function missedLines(out: Out, { agents }: Report): string[] {
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

function scheduleLines({ schedule: { lastTick } }: Report): string[] {
  return lastTick === null ? [] : [`last tick ${lastTick.slice(0, 16).replace('T', ' ')}Z`]
}

function pausedLines(out: Out, { paused }: Report): string[] {
  return Object.entries(paused).map(
    ([job, { at, reason }]) =>
      `${out.style('yellow', 'paused')} ${job} since ${at.slice(0, 16)}Z: ${reason} (claw cron resume ${job})`,
  )
}

function incidentLines(out: Out, { incidents }: Report): string[] {
  const open = incidents.filter(({ seen }) => !seen)
  const seen = incidents.length - open.length
  return [
    ...open.map(
      ({ id, jobs, count, reason }) =>
        `${out.style('red', 'incident')} ${jobs.join(', ')}: ${count} bad ${count === 1 ? 'run' : 'runs'}, ${reason} (claw incidents ack ${id})`,
    ),
    ...(seen > 0
      ? [`${seen} acknowledged ${seen === 1 ? 'incident' : 'incidents'} (claw incidents list --all)`]
      : []),
  ]
}
