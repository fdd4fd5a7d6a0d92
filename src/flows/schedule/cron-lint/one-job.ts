import { cronWarnings } from '../../../core/cron.ts'
import { marketLint } from '../../../core/market-lint.ts'
import { minuteMs, toIso } from '../../../core/millis.ts'
import { retryAt } from '../../../core/retry.ts'
import { type FindingAt, type LintJob, warningOn } from './finding.ts'

/** What can be said of a job without looking at the others. */
export function jobFindings(one: LintJob): FindingAt[] {
  const { kind } = one.job.schedule
  return [
    ...scheduleTexts(one).map(text => warningOn(one, text, [kind === 'cron' ? 'schedule' : kind])),
    ...marketTexts(one).map(text => warningOn(one, text, ['market'])),
    ...retryTexts(one).map(text => warningOn(one, text, ['retry'])),
  ]
}

function scheduleTexts({ job: { schedule, enabled }, slots, timeZone }: LintJob): string[] {
  if (schedule.kind === 'cron')
    return cronWarnings(schedule.expression).map(
      text => `schedule "${schedule.expression}" (${timeZone}): ${text}`,
    )
  if (schedule.kind === 'at' && enabled && slots.length === 0)
    return [`at ${toIso(schedule.at)} is over, or further away than two weeks`]
  return []
}

function marketTexts({ job: { market }, slots, timeZone }: LintJob): string[] {
  return market ? marketLint(slots, { ...market, timeZone }) : []
}

function retryTexts({ job: { retry }, slots }: LintJob): string[] {
  const again = retry.on.includes('crashed')
    ? [
        'retry on crashed: a run that died after it had asked a model is run again, so that money is spent and tools act twice',
      ]
    : []
  const [first, second] = slots
  if (retry.attempts < 2 || first === undefined || second === undefined) return again
  const pauseMs = retryAt(retry, retry.attempts - 1, 0)
  if (pauseMs < second - first) return again
  const [pause, gap] = [pauseMs, second - first].map(ms => Math.round(ms / minuteMs))
  return [
    ...again,
    `retry: the last pause is ${pause} minutes, and the next slot is due after ${gap}: from then on nothing is tried again`,
  ]
}
