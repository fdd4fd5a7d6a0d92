import { exitCodes } from '../../core/claw-error.ts'
import { toIso } from '../../core/millis.ts'
import { lintCron } from '../../flows/schedule/cron-lint.ts'
import { listCron, type ScheduledJob } from '../../flows/schedule/cron-list.ts'
import { nextFires } from '../../flows/schedule/cron-next.ts'
import { clockText, shortClockText } from '../clock-text.ts'
import { type Action, textOption } from '../command.ts'
import { countOption } from '../count-option.ts'
import { warnOfSilence } from '../warn-of-silence.ts'

/** From so many columns on a date has its weekday and its year. */
const roomy = 130

export const cronList: Action = async ({ world, root, out }, _args, options) => {
  await warnOfSilence({ world, root, out })
  const { jobs, broken, hostZone } = await listCron(world, root(), textOption(options, 'agent'))
  for (const { why } of broken) out.warn(why)
  const brokenRows = broken.map(({ key, why }) => [key, out.style('red', 'broken'), '-', '-', '-', why])
  const outcomeOf = (last: ScheduledJob['last']): string => {
    if (!last) return 'never ran'
    const clock = out.columns < roomy ? shortClockText : clockText
    return `${last.state} ${clock(world, last.at, hostZone)}`
  }
  const rows = jobs.map(({ job, enabled, schedule, tz, next, last, paused }) => [
    job,
    paused ? out.style('yellow', 'paused') : enabled ? 'on' : 'off',
    schedule,
    next === null ? '-' : clockText(world, next, tz),
    next === null ? '-' : clockText(world, next, hostZone),
    outcomeOf(last),
  ])
  const head = ['job', 'state', 'schedule', 'next (its zone)', `next (${hostZone})`, 'last']
  // The next moment in the zone of the job goes first, the last outcome never.
  const leastLast = Math.max(4, ...jobs.map(({ last }) => outcomeOf(last).length))
  const narrow = { drops: [3, 2, 4], leastLast, shrinks: 0 }
  out.result(
    jobs,
    rows.length + broken.length === 0 ? 'no jobs yet' : out.table([...rows, ...brokenRows], head, narrow),
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
  const { broken, findings } = await lintCron(world, root(), textOption(options, 'agent'))
  const all = [...broken, ...findings]
  const lines = all.map(({ level, file, line, text }) => {
    const place = line === null ? file : `${file}:${line}`
    return `${out.style(level === 'error' ? 'red' : 'yellow', level.padEnd(7))} ${place}: ${text}`
  })
  out.result(all, all.length === 0 ? 'nothing to remark' : lines.join('\n'))
  const wrong = [...new Set(all.filter(({ level }) => level === 'error').map(({ job }) => job))]
  if (wrong.length === 0) return exitCodes.ok
  out.error(`${wrong.length} of the jobs cannot run: ${wrong.join(', ')}`)
  return exitCodes.usage
}
