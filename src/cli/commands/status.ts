import { teamStatus } from '../../flows/team-status.ts'
import { type Action, textOption } from '../command.ts'

export const status: Action = async ({ world, root, out }, _args, options) => {
  const report = teamStatus(world, root(), textOption(options, 'agent'))
  const rows = report.agents.map(line => [
    line.agent,
    `${line.jobs} ${line.jobs === 1 ? 'job' : 'jobs'}`,
    line.last ? `${line.last.at.slice(0, 16).replace('T', ' ')}Z` : 'never ran',
    line.last ? `${line.last.job ?? '-m'}: ${line.last.state}` : '',
    line.bad.length > 0 ? out.style('red', `needs a look: ${line.bad.join(', ')}`) : '',
  ])
  const { queued, unknown, failed } = report.outbox
  const text = [
    out.table(rows),
    `outbox: ${queued} waiting, ${failed} failed, ${unknown} not known to have arrived${queued + unknown + failed > 0 ? ' (claw outbox list)' : ''}`,
  ].join('\n')
  out.result(report, text)
}
