import { isEvery, longestMonth } from './days.ts'
import type { CronFields } from './fields.ts'
import { isBothDays } from './wall.ts'

/** The days of one crontab line; undefined means all. A line has days or weekdays, never both. */
export interface DayPart {
  days?: readonly number[]
  months?: readonly number[]
  weekdays?: readonly number[]
}

/**
 * Lines for the days that lie `carry` days after those of `fields`. They hold all
 * of them, and more only where a crontab cannot say it: all lengths that a month
 * can have, and the whole of a month into which weekdays of its neighbour spill.
 */
export function shiftedDays(fields: CronFields, carry: number): DayPart[] {
  const { day, weekday } = fields
  const hasDays = !isEvery(day, 31)
  const hasWeekdays = !isEvery(weekday, 7)
  const isEither = !isBothDays(fields)
  // One field that holds every day makes an alternative hold every day.
  const isAnyDay = isEither && (!hasDays || !hasWeekdays) && !(day.text === '*' || weekday.text === '*')
  if (isAnyDay || (!hasDays && !hasWeekdays)) return byDate(fields, carry, allDays)
  if (!hasWeekdays) return byDate(fields, carry, day.values)
  if (!hasDays || !isEither) return [byWeekday(fields, carry)]
  return [...byDate(fields, carry, day.values), byWeekday(fields, carry)]
}

const allDays = Array.from({ length: 31 }, (_, index) => index + 1)

function byWeekday({ month, weekday }: CronFields, carry: number): DayPart {
  const weekdays = weekday.values.map(value => (value + carry + 7) % 7).sort((a, b) => a - b)
  if (isEvery(month, 12)) return { weekdays }
  const months = new Set(month.values.flatMap(one => [one, neighbour(one, Math.sign(carry))]))
  return { weekdays, months: inOrder(months) }
}

function byDate({ month }: CronFields, carry: number, days: readonly number[]): DayPart[] {
  const byMonth = new Map<number, Set<number>>()
  for (const one of month.values) {
    for (const day of days.filter(value => value <= longestMonth(one))) {
      for (const [toMonth, toDay] of shifted(one, day, carry)) {
        byMonth.set(toMonth, (byMonth.get(toMonth) ?? new Set()).add(toDay))
      }
    }
  }
  if (isEvery(month, 12)) {
    const all = inOrder(new Set([...byMonth.values()].flatMap(set => [...set])))
    return [all.length === 31 ? {} : { days: all }]
  }
  const byDays = new Map<string, { days: number[]; months: number[] }>()
  for (const [toMonth, set] of byMonth) {
    const inMonth = inOrder(set)
    const part = byDays.get(inMonth.join()) ?? { days: inMonth, months: [] }
    part.months.push(toMonth)
    byDays.set(inMonth.join(), part)
  }
  return [...byDays.values()].map(part => ({ ...part, months: part.months.sort((a, b) => a - b) }))
}

/** Where a day comes to lie, in common and in leap years. */
function shifted(month: number, day: number, carry: number): [number, number][] {
  const lengths = month === 2 ? [28, 29] : [longestMonth(month)]
  const before = neighbour(month, -1)
  const beforeLengths = before === 2 ? [28, 29] : [longestMonth(before)]
  const to = day + carry
  if (to < 1) return beforeLengths.map(length => [before, length + to])
  return lengths
    .filter(length => day <= length)
    .map(length => (to > length ? [neighbour(month, 1), to - length] : [month, to]))
}

function neighbour(month: number, by: number): number {
  return ((month - 1 + by + 12) % 12) + 1
}

function inOrder(values: ReadonlySet<number>): number[] {
  return [...values].sort((a, b) => a - b)
}
