import { isEvery, longestMonth, monthName } from './days.ts'
import type { CronField, CronFields } from './fields.ts'
import { isBothDays } from './wall.ts'

/** What is legal and yet often not what was meant. */
export function warningsOf(fields: CronFields): string[] {
  return [
    ...bothDays(fields),
    ...rareDays(fields),
    ...everyMinute(fields),
    ...unevenStep('minute', fields.minute, 60),
    ...unevenStep('hour', fields.hour, 24),
    ...unevenDays(fields),
    ...idleSteps(fields),
  ]
}

function bothDays(fields: CronFields): string[] {
  const { day, weekday } = fields
  if (day.text === '*' || weekday.text === '*') return []
  return isBothDays(fields)
    ? [
        `day-of-month ${day.text} and weekday ${weekday.text} must both match, because one of them begins with * (cron's own rule)`,
      ]
    : [
        `day-of-month ${day.text} or weekday ${weekday.text}: cron fires when either matches, not only when both do`,
      ]
}

function rareDays(fields: CronFields): string[] {
  const { day, month, weekday } = fields
  const first = day.values[0]!
  if (first < 29 || (!isBothDays(fields) && !isEvery(weekday, 7))) return []
  const without = month.values.filter(one => longestMonth(one) < first).map(monthName)
  const leap = first === 29 && month.values.includes(2) ? ['February except in leap years'] : []
  const skipped = [...without, ...leap]
  return skipped.length === 0 ? [] : [`there is no day ${first} in ${skipped.join(', ')}: nothing fires then`]
}

function everyMinute({ minute, hour }: CronFields): string[] {
  if (!isEvery(minute, 60) || isEvery(hour, 24)) return []
  return [`minute ${minute.text} fires 60 times in each of its hours; 0 ${hour.text} would be once an hour`]
}

function unevenStep(title: string, { text, values }: CronField, size: number): string[] {
  const step = Number(/^\*\/(\d+)$/.exec(text)?.[1] ?? 1)
  if (size % step === 0) return []
  const last = values.at(-1)!
  return [
    `${title} ${text} starts anew at 0: it means ${listText(values)}, with ${size - last} instead of ${step} after ${last}`,
  ]
}

function unevenDays({ day, weekday }: CronFields): string[] {
  const isStepped = ({ text }: CronField): boolean => /^\*\/(?!1$)\d+$/.test(text)
  return [
    ...(isStepped(day) ? [`day-of-month ${day.text} starts anew on the 1st of each month`] : []),
    ...(isStepped(weekday)
      ? [`weekday ${weekday.text} starts anew on Sunday: it means ${listText(weekday.values)}`]
      : []),
  ]
}

function idleSteps(fields: CronFields): string[] {
  return [fields.minute, fields.hour, fields.day, fields.month, fields.weekday].flatMap(({ text, values }) =>
    /^[^,*]+-[^,*]+\/\d+$/.test(text) && values.length === 1
      ? [`${text} has a step longer than its range: it only means ${values[0]}`]
      : [],
  )
}

function listText(values: readonly number[]): string {
  return values.length > 8 ? `${values.slice(0, 7).join(', ')}, ... ${values.at(-1)}` : values.join(', ')
}
