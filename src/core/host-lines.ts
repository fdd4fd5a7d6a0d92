import { isEvery } from './cron/days.ts'
import { type DayPart, shiftedDays } from './cron/day-shift.ts'
import { crontabText, listText } from './cron/field-text.ts'
import { offsetSpan } from './cron/offset-span.ts'
import { nextMoment, type Timetable, timetable } from './cron/timetable.ts'
import { dayMs, hourMs, type Millis, minuteMs } from './millis.ts'

const dayMinutes = dayMs / minuteMs

/**
 * Crontab lines (five fields each) for a host whose clock shows `hostZone`. They
 * wake at least at every slot that `expression` has in `jobZone` during `year`,
 * under the rule that cron itself keeps where clocks are changed. There is a time
 * for each difference of offsets that the year holds, so they also wake at other
 * moments: the slot decides whether anything is due. Where both clocks agree all
 * year, it is the expression itself, in a form that Debian's cron can read.
 *
 * A period has lines where it is an expression (`everyExpression`); an `at` has none
 * and is started by `tick`.
 */
export function hostLines(
  expression: string,
  jobZone: string,
  hostZone: string,
  { year }: { year: number },
): string[] {
  const table = timetable(expression)
  const from = Date.UTC(year, 0, 1) - dayMs
  const until = Date.UTC(year + 1, 0, 1) + dayMs
  const changes = changesOf(jobZone, hostZone, from, until)
  const differences = differencesOf(jobZone, hostZone, [from, ...changes])
  if (differences.every(difference => difference === 0)) return [crontabText(table.fields)]
  const lines = shiftedLines(table, differences)
  return [...lines, ...missedLines(table, lines, { jobZone, hostZone, changes })]
}

/** The expression, in UTC, of a period that divides the hour or the day; undefined for any other. */
export function everyExpression(everyMs: number): string | undefined {
  if (everyMs % minuteMs === 0 && hourMs % everyMs === 0) {
    const minutes = everyMs / minuteMs
    return minutes === 60 ? '0 * * * *' : `*/${minutes} * * * *`
  }
  if (everyMs % hourMs !== 0 || dayMs % everyMs !== 0) return undefined
  const hours = everyMs / hourMs
  return hours === 24 ? '0 0 * * *' : `0 */${hours} * * *`
}

/** When one of the zones changes its clocks. */
function changesOf(jobZone: string, hostZone: string, from: Millis, until: Millis): Millis[] {
  const changes: Millis[] = []
  let at = from
  while (at < until) {
    const spans = [offsetSpan(jobZone, at), offsetSpan(hostZone, at)]
    if (spans.some(span => span.from === at && span.before !== span.offset)) changes.push(at)
    at = Math.min(...spans.map(span => span.until))
  }
  return changes
}

/** Minutes to add to the clock of the job for that of the host. */
function differencesOf(jobZone: string, hostZone: string, moments: readonly Millis[]): number[] {
  const all = moments.map(at => (offsetSpan(hostZone, at).offset - offsetSpan(jobZone, at).offset) / minuteMs)
  return [...new Set(all)]
}

function shiftedLines({ fields }: Timetable, differences: readonly number[]): string[] {
  const { day, month, weekday } = fields
  const isDaily = [isEvery(day, 31), isEvery(month, 12), isEvery(weekday, 7)].every(Boolean)
  const byCarry = new Map<number, Set<number>>()
  for (const difference of differences) {
    for (const hour of fields.hour.values) {
      for (const minute of fields.minute.values) {
        const shifted = hour * 60 + minute + difference
        const carry = isDaily ? 0 : Math.floor(shifted / dayMinutes)
        const times = byCarry.get(carry) ?? new Set()
        byCarry.set(carry, times.add(((shifted % dayMinutes) + dayMinutes) % dayMinutes))
      }
    }
  }
  return [...byCarry].flatMap(([carry, times]) =>
    shiftedDays(fields, carry).flatMap(days => timeFields(times).map(time => `${time} ${dayFields(days)}`)),
  )
}

/** `minute hour` pairs that make up the times of a day; hours with the same minutes share one. */
function timeFields(times: ReadonlySet<number>): string[] {
  const minutesByHour = new Map<number, number[]>()
  for (const time of [...times].sort((a, b) => a - b)) {
    const hour = Math.floor(time / 60)
    minutesByHour.set(hour, [...(minutesByHour.get(hour) ?? []), time % 60])
  }
  const hoursByMinutes = new Map<string, number[]>()
  for (const [hour, minutes] of minutesByHour) {
    const text = timeText(minutes, 60)
    hoursByMinutes.set(text, [...(hoursByMinutes.get(text) ?? []), hour])
  }
  return [...hoursByMinutes].map(([minutes, hours]) => `${minutes} ${timeText(hours, 24)}`)
}

/** Here a `*` may stand for all: it only makes cron follow the clock more closely. */
function timeText(values: readonly number[], size: number): string {
  if (values.length === size) return '*'
  const step = values.length > 1 ? values[1]! - values[0]! : size
  const isEven =
    values[0] === 0 && values.length * step === size && values.every((v, index) => v === index * step)
  return isEven && values.length > 1 ? `*/${step}` : listText(values)
}

function dayFields({ days, months, weekdays }: DayPart): string {
  return [
    days ? listText(days) : '*',
    months ? listText(months) : '*',
    weekdays ? listText(weekdays) : '*',
  ].join(' ')
}

/*
 * Around a change of clocks some slots are not where the shifted lines look: the
 * one that is made up right after a gap, and those in the second pass of an hour
 * that the host repeats, where cron fires fixed times no more. Each gets a line
 * for its date, whose `*` as hour makes cron follow the clock.
 */
function missedLines(
  table: Timetable,
  lines: readonly string[],
  { jobZone, hostZone, changes }: { jobZone: string; hostZone: string; changes: readonly Millis[] },
): string[] {
  const woken = lines.map(timetable)
  const missed = new Set<string>()
  for (const change of changes) {
    let slot = nextMoment(table, jobZone, change - dayMs)
    while (slot !== undefined && slot <= change + dayMs) {
      const before = slot - 1
      const isWoken = woken.some(line => nextMoment(line, hostZone, before) === slot)
      if (!isWoken) missed.add(datedLine(slot + offsetSpan(hostZone, slot).offset))
      slot = nextMoment(table, jobZone, slot)
    }
  }
  return [...missed]
}

function datedLine(hostWall: Millis): string {
  const wall = new Date(hostWall)
  return `${wall.getUTCMinutes()} * ${wall.getUTCDate()} ${wall.getUTCMonth() + 1} *`
}
