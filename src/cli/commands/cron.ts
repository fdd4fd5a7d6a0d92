import { exitCodes } from '../../core/claw-error.ts'
import { toIso } from '../../core/millis.ts'
import { lintCron } from '../../flows/schedule/cron-lint.ts'
import { listCron } from '../../flows/schedule/cron-list.ts'
import { nextFires } from '../../flows/schedule/cron-next.ts'
import { clockText } from '../clock-text.ts'
import { type Action, textOption } from '../command.ts'
import { countOption } from '../count-option.ts'
import { warnOfSilence } from '../warn-of-silence.ts'

export const cronList: Action = async ({ world, root, out }, _args, options) => {
  await warnOfSilence({ world, root, out })
  const { jobs, broken, hostZone } = await listCron(world, root(), textOption(options, 'agent'))
  for (const { why } of broken) out.warn(why)
  const brokenRows = broken.map(({ key, why }) => [
    key,
    out.style('red', 'broken'),
    why.slice(0, 60),
    '-',
    '-',
    '',
  ])
  const rows = jobs.map(({ job, enabled, schedule, tz, next, last, paused }) => [
    job,
    paused ? out.style('yellow', 'paused') : enabled ? 'on' : 'off',
    schedule,
    next === null ? '-' : clockText(world, next, tz),
    next === null ? '-' : clockText(world, next, hostZone),
    last ? `${last.state} ${clockText(world, last.at, hostZone)}` : 'never ran',
  ])
  const head = ['job', 'state', 'schedule', 'next (its zone)', `next (${hostZone})`, 'last']
  out.result(
    jobs,
    rows.length + broken.length === 0 ? 'no jobs yet' : out.table([...rows, ...brokenRows], head),
  )
}

export const cronNext: Action = async ({ world, root, out }, [job], options) => {
  const request = { job, count: countOption(options, 'count', 5), from: textOption(options, 'from') }
  const { fires, hostZone, remark } = await nextFires(world, root(), request)
  if (remark !== undefined) out.warn(remark)
  const rows = fires.map(({ at, job: of, timeZone }) => [
    ...(job === undefined ? [of] : []),
    clockText(world, at, timeZone),
    timeZone,
    clockText(world, at, hostZone),
    hostZone,
  ])
  const found =
    job === undefined
      ? fires.map(({ at, job: of }) => ({ at: toIso(at), job: of }))
      : fires.map(({ at }) => toIso(at))
  out.result(found, fires.length === 0 ? 'nothing fires' : out.table(rows))
}

export const cronLint: Action = async ({ world, root, out }, _args, options) => {
  const findings = await lintCron(world, root(), textOption(options, 'agent'))
  const lines = findings.map(({ level, file, text }) => {
    const said = text.startsWith(file) ? text : `${file}: ${text}`
    return `${out.style(level === 'error' ? 'red' : 'yellow', level.padEnd(7))} ${said}`
  })
  out.result(findings, findings.length === 0 ? 'nothing to remark' : lines.join('\n'))
  const wrong = findings.filter(({ level }) => level === 'error')
  if (wrong.length === 0) return exitCodes.ok
  out.error(`${wrong.length} of the jobs cannot be used: ${wrong.map(({ job }) => job).join(', ')}`)
  return exitCodes.usage
}
