import { teamStatus } from '../../flows/team-status.ts'
import { type Action, textOption } from '../command.ts'
import {
  agentLines,
  incidentLines,
  isTold,
  missedLines,
  pausedLines,
  scheduleLines,
} from '../status-lines.ts'

export const status: Action = async ({ world, root, out }, _args, options) => {
  const { warning, ...report } = await teamStatus(world, root(), textOption(options, 'agent'))
  if (warning !== undefined) out.warn(warning)
  const { queued, unknown, failed } = report.outbox
  const text = [
    ...agentLines(out, report),
    `outbox: ${queued} waiting, ${failed} failed, ${unknown} not known to have arrived${queued + unknown + failed > 0 ? ' (claw outbox list)' : ''}`,
    ...missedLines(out, report),
    ...report.broken
      .filter(line => !isTold(report, line))
      .map(line => `${out.style('red', 'broken')} ${line}`),
    ...scheduleLines(report),
    ...pausedLines(out, report),
    ...incidentLines(out, report),
  ].join('\n')
  out.result(report, text)
}
