import { ClawError } from '../claw-error.ts'

export interface CronField {
  /** Ascending, without repeats; weekdays are 0-6. */
  values: readonly number[]
  /** Begins with `*`, with or without a step; cron has own rules for such fields. */
  isStar: boolean
  text: string
}

export interface CronFields {
  minute: CronField
  hour: CronField
  day: CronField
  month: CronField
  weekday: CronField
}

interface FieldKind {
  title: string
  low: number
  high: number
  allowed: string
  names: readonly string[]
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

const kinds = {
  minute: { title: 'minute', low: 0, high: 59, allowed: '0-59', names: [] },
  hour: { title: 'hour', low: 0, high: 23, allowed: '0-23', names: [] },
  day: { title: 'day-of-month', low: 1, high: 31, allowed: '1-31', names: [] },
  month: { title: 'month', low: 1, high: 12, allowed: '1-12 or JAN-DEC', names: months },
  weekday: {
    title: 'weekday',
    low: 0,
    high: 7,
    allowed: '0-7 (0 and 7 are Sunday) or SUN-SAT',
    names: weekdays,
  },
} as const satisfies Record<keyof CronFields, FieldKind>

const macros: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/**
 * The five fields, or a `ClawError` that names the field and what it allows. What
 * Debian's cron cannot fire (`L`, `W`, `#`, `?`, seconds) is refused; ranges that
 * wrap (`22-2`, `FRI-MON`) are taken, and `hostText` writes them in cron's own form.
 */
export function parseCron(expression: string): CronFields {
  const texts = spelledOut(expression).split(/\s+/)
  if (texts.length !== 5 || texts[0] === '') {
    const count = texts[0] === '' ? 0 : texts.length
    throw invalid(
      expression,
      `has ${count} field${count === 1 ? '' : 's'}; a crontab line has 5: minute hour day-of-month month weekday`,
    )
  }
  const [minute, hour, day, month, weekday] = texts as [string, string, string, string, string]
  return {
    minute: parseField(expression, kinds.minute, minute),
    hour: parseField(expression, kinds.hour, hour),
    day: parseField(expression, kinds.day, day),
    month: parseField(expression, kinds.month, month),
    weekday: parseField(expression, kinds.weekday, weekday),
  }
}

function spelledOut(expression: string): string {
  const text = expression.trim()
  if (!text.startsWith('@')) return text
  const macro = macros[text.toLowerCase()]
  if (macro) return macro
  throw invalid(expression, `is no schedule; known are ${Object.keys(macros).join(', ')}, or five fields`)
}

/** Last day, nearest weekday, nth weekday, no matter which: known to other schedulers. */
const quartz = /[#?]|^L(?:W|-\d+)?$|^\d+[LW]$|^[a-z]{3}L$/i

function parseField(expression: string, kind: FieldKind, text: string): CronField {
  const wrong = (why: string): ClawError =>
    invalid(expression, `is wrong in the ${kind.title} field: ${why}; allowed are ${kind.allowed}`)
  const foreign = text.split(',').find(item => quartz.test(item))
  if (foreign) throw wrong(`"${foreign}" is not something that cron can fire`)
  const values = new Set<number>()
  for (const item of text.split(',')) {
    if (item === '') throw wrong(`"${text}" has an empty item`)
    for (const value of itemValues(kind, item, wrong)) values.add(kind === kinds.weekday ? value % 7 : value)
  }
  return { values: [...values].sort((a, b) => a - b), isStar: text.startsWith('*'), text }
}

function itemValues(kind: FieldKind, item: string, wrong: (why: string) => ClawError): number[] {
  const [range = '', stepText, ...more] = item.split('/')
  const [first = '', last, ...others] = range.split('-')
  if (more.length > 0 || others.length > 0) throw wrong(`"${item}" cannot be read`)
  const step = stepText === undefined ? 1 : stepOf(kind, item, stepText, wrong)
  if (range === '*') return steps(kind.low, highest(kind), step)
  const from = valueOf(kind, first, wrong)
  if (last === undefined) {
    if (stepText !== undefined)
      throw wrong(`"${item}" needs a range before the step, such as ${first}-${kind.high}/${stepText}`)
    return [from]
  }
  const to = valueOf(kind, last, wrong)
  if (from <= to) return steps(from, to, step)
  const size = highest(kind) - kind.low + 1
  return steps(from, to + size, step).map(value => ((value - kind.low) % size) + kind.low)
}

/** 7 is Sunday again, so `*` and what wraps end at Saturday. */
function highest(kind: FieldKind): number {
  return kind === kinds.weekday ? 6 : kind.high
}

function stepOf(kind: FieldKind, item: string, text: string, wrong: (why: string) => ClawError): number {
  const step = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (step === 0) throw wrong(`the step of "${item}" must be a number from 1`)
  if (step > kind.high)
    throw wrong(`the step of "${item}" is longer than the field, so it never comes to a second value`)
  return step
}

function valueOf(kind: FieldKind, text: string, wrong: (why: string) => ClawError): number {
  const named = kind.names.indexOf(text.toUpperCase())
  if (named !== -1) return named + kind.low
  if (!/^\d{1,4}$/.test(text))
    throw wrong(text === '' ? 'an end of a range is missing' : `"${text}" is unknown`)
  const value = Number(text)
  if (value < kind.low || value > kind.high) throw wrong(`${text} is out of range`)
  return value
}

function steps(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)
}

function invalid(expression: string, why: string): ClawError {
  return new ClawError('config-invalid', `cron expression "${expression}" ${why}`)
}
