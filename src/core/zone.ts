import { ClawError } from './claw-error.ts'
import { dayMs, type Millis, minuteMs } from './millis.ts'

/** A moment as people in one time zone read it. */
export interface LocalTime {
  /** YYYY-MM-DD */
  date: string
  /** HH:MM */
  time: string
  /** 0 = Sunday */
  weekday: number
  weekdayName: string
  /** Minutes east of UTC. */
  offsetMinutes: number
}

const weekdayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
    formats.set(timeZone, format)
  }
  return format
}

/** Since then clocks are changed at whole quarters of an hour only. */
const quartersSince = Date.UTC(1990, 0)
const quarterMs = 15 * minuteMs

/** By zone: the quarter of an hour that was asked for last, and its offset. */
const lastQuarters = new Map<string, { quarter: number; offsetMinutes: number }>()

/** The one "user day" function: every dated file name comes from here. */
export function localTime(at: Millis, timeZone: string): LocalTime {
  if (at < quartersSince) return localTimeOf(at, offsetAt(at, timeZone))
  const quarter = Math.floor(at / quarterMs)
  let last = lastQuarters.get(timeZone)
  if (last?.quarter !== quarter) {
    last = { quarter, offsetMinutes: offsetAt(at, timeZone) }
    lastQuarters.set(timeZone, last)
  }
  return localTimeOf(at, last.offsetMinutes)
}

function offsetAt(at: Millis, timeZone: string): number {
  const part: Record<string, string> = {}
  for (const { type, value } of formatFor(timeZone).formatToParts(at)) part[type] = value
  const { year, month, day, hour, minute, second } = part
  const asUtc = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Math.round((asUtc - Math.floor(at / 1000) * 1000) / minuteMs)
}

/** The same from an offset that is known. */
export function localTimeOf(at: Millis, offsetMinutes: number): LocalTime {
  const shifted = new Date(at + offsetMinutes * minuteMs)
  const iso = shifted.toISOString()
  const weekday = shifted.getUTCDay()
  return {
    date: iso.slice(0, 10),
    time: iso.slice(11, 16),
    weekday,
    weekdayName: weekdayNames[weekday]!,
    offsetMinutes,
  }
}

export function isTimeZone(name: string): boolean {
  try {
    formatFor(name)
    return true
  } catch {
    return false
  }
}

/** ISO 8601 week, `2026-W48`. */
export function isoWeek(date: string): string {
  const day = new Date(`${date}T00:00:00Z`)
  const thursday = new Date(day.getTime() + (4 - (day.getUTCDay() || 7)) * dayMs)
  const yearStart = Date.UTC(thursday.getUTCFullYear(), 0, 1)
  const week = Math.ceil(((thursday.getTime() - yearStart) / dayMs + 1) / 7)
  return `${thursday.getUTCFullYear()}-W${String(week).padStart(2, '0')}`
}

/** Fills `{date}`, `{week}`, `{month}`, `{agent}` and the like; an unknown name is an error that lists the known ones. */
export function fillPath(pattern: string, names: Record<string, string>): string {
  return pattern.replaceAll(/\{([a-z]+)\}/g, (_, name: string) => {
    const value = names[name]
    if (value === undefined) {
      throw new ClawError(
        'config-invalid',
        `unknown {${name}} in ${pattern}; known are ${Object.keys(names).join(', ')}`,
      )
    }
    return value
  })
}
