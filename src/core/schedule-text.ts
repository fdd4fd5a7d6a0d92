import type { Schedule } from './job.ts'
import { dayMs, fromIso, hourMs, minuteMs, secondMs, toIso } from './millis.ts'

/** A schedule and the zone that it is read in. */
export interface Timing {
  schedule: Schedule
  timeZone: string
}

/** `cron 30 8 * * * in Asia/Shanghai`: for people, and read back by `timingOf`. */
export function timingText({ schedule, timeZone }: Timing): string {
  return `${scheduleText(schedule)} in ${timeZone}`
}

/** Undefined for a text that `timingText` did not make. */
export function timingOf(text: string): Timing | undefined {
  const [, kind, value = '', timeZone = ''] = /^(cron|every|at) (.+) in (\S+)$/.exec(text) ?? []
  if (kind === 'cron') return { schedule: { kind, expression: value }, timeZone }
  if (kind === 'every') return { schedule: { kind, everyMs: Number(value.replace(/ms$/, '')) }, timeZone }
  const at = kind === 'at' ? fromIso(value) : undefined
  return at === undefined ? undefined : { schedule: { kind: 'at', at }, timeZone }
}

function scheduleText(schedule: Schedule): string {
  switch (schedule.kind) {
    case 'cron':
      return `cron ${schedule.expression}`
    case 'every':
      return `every ${schedule.everyMs}ms`
    case 'at':
      return `at ${toIso(schedule.at)}`
    case 'manual':
      return 'by hand'
  }
}

/** As a job file would say it: five fields, `every 30m`, `at <ISO>` or `by hand`. */
export function scheduleWords(schedule: Schedule): string {
  if (schedule.kind === 'cron') return schedule.expression
  if (schedule.kind !== 'every') return scheduleText(schedule)
  const unit = units.find(({ ms }) => schedule.everyMs % ms === 0)!
  return `every ${schedule.everyMs / unit.ms}${unit.name}`
}

const units = [
  { name: 'd', ms: dayMs },
  { name: 'h', ms: hourMs },
  { name: 'm', ms: minuteMs },
  { name: 's', ms: secondMs },
  { name: 'ms', ms: 1 },
]
