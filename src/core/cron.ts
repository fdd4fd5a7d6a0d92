import { ClawError, isClawError } from './claw-error.ts'
import { neverFires } from './cron/days.ts'
import { lastMoment, nextMoment, type Timetable, timetable } from './cron/timetable.ts'
import { warningsOf } from './cron/warnings.ts'
import type { Schedule } from './job.ts'
import type { Millis } from './millis.ts'
import { isTimeZone } from './zone.ts'

/*
 * The rule where clocks are changed (docs/decisions/07-time.md), that of Debian's
 * cron: a fixed time, whose minute and hour fields do not begin with `*`, runs
 * once right after a gap that swallowed it, and once, in the first pass, where an
 * hour is repeated. Every other expression follows the clock on the wall: it
 * skips what does not exist and runs in both passes.
 */

/** The next `count` due moments after `after`, in order; fewer when no more are left. */
export function nextSlots(schedule: Schedule, timeZone: string, after: Millis, count: number): Millis[] {
  switch (schedule.kind) {
    case 'manual':
      return []
    case 'at':
      return schedule.at > after && count > 0 ? [schedule.at] : []
    case 'every': {
      const first = (Math.floor(after / schedule.everyMs) + 1) * schedule.everyMs
      return Array.from({ length: count }, (_, index) => first + index * schedule.everyMs)
    }
    case 'cron': {
      const table = usable(schedule.expression)
      const slots: Millis[] = []
      let last: Millis | undefined = after
      while (slots.length < count) {
        last = nextMoment(table, timeZone, last)
        if (last === undefined) break
        slots.push(last)
      }
      return slots
    }
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
      return lastMoment(usable(schedule.expression), timeZone, at)
  }
}

/**
 * The due moments after `after` up to and including `until`, in order. When there
 * are more than `limit`, the newest `limit` of them, and only these cost time.
 */
export function slotsBetween(
  schedule: Schedule,
  timeZone: string,
  after: Millis,
  until: Millis,
  limit: number = Infinity,
): Millis[] {
  const slots: Millis[] = []
  let slot = latestSlot(schedule, timeZone, until)
  while (slot !== undefined && slot > after && slots.length < limit) {
    slots.push(slot)
    slot = schedule.kind === 'at' ? undefined : latestSlot(schedule, timeZone, slot - 1)
  }
  return slots.reverse()
}

/** Undefined when the expression can be used, else one line that says why not and what is allowed. */
export function cronProblem(expression: string, timeZone: string): string | undefined {
  if (!isTimeZone(timeZone)) return `unknown time zone ${timeZone}`
  try {
    usable(expression)
    return undefined
  } catch (error) {
    if (isClawError(error)) return error.message
    throw error
  }
}

/** What a usable expression does that its writer may not expect, one line each. */
export function cronWarnings(expression: string): string[] {
  return warningsOf(usable(expression).fields)
}

function usable(expression: string): Timetable {
  const table = timetable(expression)
  const why = neverFires(table.fields)
  if (why) throw new ClawError('config-invalid', `cron expression "${expression}" never fires: ${why}`)
  return table
}
