import { ClawError } from '../../core/claw-error.ts'
import { listRuns, showRun } from '../../flows/list-runs.ts'
import { type Action, textOption } from '../command.ts'

export const runs: Action = async ({ world, root, out }, [run], options) => {
  if (run !== undefined) {
    const record = showRun(world, root(), run)
    out.result(record, JSON.stringify(record, null, 2))
    return
  }
  const text = (name: string): string | undefined => textOption(options, name)
  const limit = Number(text('limit') ?? 20)
  if (!Number.isInteger(limit) || limit < 1)
    throw new ClawError('usage', `--limit must be a whole number from 1, not ${text('limit')}`)
  const found = listRuns(world, root(), {
    limit,
    agent: text('agent'),
    job: text('job'),
    state: text('state'),
  })
  const rows = found.map(record => [
    record.run,
    `${record.agent}/${record.job ?? '-m'}`,
    record.state,
    `${(record.durationMs / 1000).toFixed(1)}s`,
    record.model ?? '-',
    record.reason,
  ])
  out.result(
    found,
    found.length === 0 ? 'no runs yet' : out.table(rows, ['run', 'job', 'state', 'took', 'model', 'reason']),
  )
}
