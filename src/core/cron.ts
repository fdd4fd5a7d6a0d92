import { Cron } from 'croner'
import type { Schedule } from './job.ts'
import type { Millis } from './millis.ts'

/** The next `count` due moments after `after`, in order; empty when none is left. */
export function nextSlots(schedule: Schedule, timeZone: string, after: Millis, count: number): Millis[] {
  switch (schedule.kind) {
    case 'manual':
      return []
    case 'at':
      return schedule.at > after ? [schedule.at] : []
    case 'every': {
      const first = (Math.floor(after / schedule.everyMs) + 1) * schedule.everyMs
      return Array.from({ length: count }, (_, index) => first + index * schedule.everyMs)
    }
    case 'cron':
      return cron(schedule.expression, timeZone)
        .nextRuns(count, new Date(after))
        .map(date => date.getTime())
  }
}

/** The last due moment at or before `at`; undefined when there was none. */
export function latestSlot(schedule: Schedule, timeZone: string, at: Millis): Millis | undefined {
  switch (schedule.kind) {
    case 'manual':
      return undefined
    case 'at':
      return schedule.at <= at ? schedule.at : undefined
    case 'every':
      return Math.floor(at / schedule.everyMs) * schedule.everyMs
    case 'cron':
      return cron(schedule.expression, timeZone)
        .previousRuns(1, new Date(at + 1000))[0]
        ?.getTime()
  }
}

/** Undefined when the expression can be used, else one line that says why not. */
export function cronProblem(expression: string, timeZone: string): string | undefined {
  try {
    return cron(expression, timeZone).nextRun() ? undefined : `"${expression}" never fires`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function cron(expression: string, timezone: string): Cron {
  return new Cron(expression, { timezone, mode: '5-part', paused: true })
}
