import type { CronField, CronFields } from './fields.ts'
import { isBothDays } from './wall.ts'

/** Days of each month from January, in a leap year. */
const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]

/** `month` counts from 1. */
export function longestMonth(month: number): number {
  return longest[month - 1]!
}

export function monthName(month: number): string {
  return monthNames[month - 1]!
}

export function isEvery(field: CronField, count: number): boolean {
  return field.values.length === count
}

/** Why no day can match, such as 30 February; found from the fields alone, whatever the year. */
export function neverFires(fields: CronFields): string | undefined {
  const { day, month, weekday } = fields
  if (!isBothDays(fields) && !isEvery(weekday, 7)) return undefined
  if (month.values.some(one => longestMonth(one) >= day.values[0]!)) return undefined
  const names = month.values.map(one => `${monthName(one)} has ${longestMonth(one)} days`)
  return `no month of it has a day ${day.values[0]} (${names.join(', ')})`
}
