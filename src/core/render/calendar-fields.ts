import { crontabText, listText } from '../cron/field-text.ts'
import { type CronField, parseCron } from '../cron/fields.ts'

/** What a schedule allows, for schedulers that read no crontab syntax; undefined is every value. */
export interface CalendarFields {
  minutes: readonly number[] | undefined
  hours: readonly number[] | undefined
  days: readonly number[] | undefined
  months: readonly number[] | undefined
  /** 0 is Sunday. */
  weekdays: readonly number[] | undefined
  /** Both day fields are limited, and either one lets a day pass; false where both must. */
  isEitherDay: boolean
}

/** Throws `config-invalid` for what is no expression. */
export function calendarFields(expression: string): CalendarFields {
  const { minute, hour, day, month, weekday } = parseCron(expression)
  const days = limited(day, 31)
  const weekdays = limited(weekday, 7)
  return {
    minutes: limited(minute, 60),
    hours: limited(hour, 24),
    days,
    months: limited(month, 12),
    weekdays,
    isEitherDay: days !== undefined && weekdays !== undefined && !day.isStar && !weekday.isStar,
  }
}

/** The same expression as every reader of five fields takes it: numbers, no range that wraps, Sunday as 0. */
export function plainExpression(expression: string): string {
  const fields = parseCron(expression)
  const { weekday } = fields
  const text = weekday.text.includes('7') ? listText(weekday.values) : weekday.text
  return crontabText({ ...fields, weekday: { ...weekday, text } })
}

function limited(field: CronField, count: number): readonly number[] | undefined {
  return field.values.length === count ? undefined : field.values
}
