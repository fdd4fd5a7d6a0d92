import type { Schedule } from './job.ts'
import { fromIso, toIso } from './millis.ts'

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
