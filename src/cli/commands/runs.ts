import { ClawError } from '../../core/claw-error.ts'
import type { RunRecord } from '../../core/run.ts'
import { listRuns, showRun } from '../../flows/list-runs.ts'
import { type Action, textOption } from '../command.ts'
import { warnOfSilence } from '../warn-of-silence.ts'

export const runs: Action = async ({ world, root, out }, [run], options) => {
  await warnOfSilence({ world, root, out })
  if (run !== undefined) {
    const record = showRun(world, root(), run)
    out.result(record, out.table(recordRows(record)))
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

function recordRows(record: RunRecord): string[][] {
  const { files, fallbacks, tools, evidence, usage } = record
  const rows: [string, string][] = [
    ['run', record.run],
    ['job', `${record.agent}/${record.job ?? '-m'}`],
    ['slot', record.slot ?? 'by hand'],
    ['state', record.state],
    ['reason', record.reason],
    ['started', record.startedAt],
    ['took', `${(record.durationMs / 1000).toFixed(1)}s`],
    ['model', record.model ?? 'none'],
    ['fallbacks', fallbacks.map(({ ref, why, detail }) => `${ref}: ${why} (${detail})`).join('; ')],
    [
      'tokens',
      `${usage.in} in, ${usage.out} out, ${usage.cost === null ? 'cost unknown' : `${usage.cost.toFixed(4)} USD`}`,
    ],
    [
      'evidence',
      `${evidence.items} items, ${evidence.sourcesOk} sources read, ${evidence.sourcesFailed} failed`,
    ],
    [
      'tools',
      tools
        .map(({ name, ok, denied }) => `${name}${denied ? ' (denied)' : ok ? '' : ' (failed)'}`)
        .join(', '),
    ],
    ['files', files.map(file => file.path).join(', ')],
    ['deliveries', record.deliveries.join(', ')],
    ['degraded', record.degraded.join('; ')],
    ['kept aside', record.keptAside ?? ''],
    ['session', record.session ?? ''],
  ]
  return rows.filter(([, value]) => value !== '')
}
