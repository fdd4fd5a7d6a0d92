import { hourMs, type Millis, minuteMs, secondMs } from './millis.ts'

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const fullMonths =
  'january february march april may june july august september october november december'.split(' ')

/** Hours east of UTC; what a feed means by them, not what the sea of zone names may mean. */
const zoneNames: readonly (readonly [hours: number, names: string])[] = [
  [-10, 'HST'],
  [-9, 'AKST'],
  [-8, 'PT PST AKDT'],
  [-7, 'MT MST PDT'],
  [-6, 'CT CST MDT'],
  [-5, 'ET EST CDT'],
  [-4, 'AT AST EDT'],
  [-3, 'ADT'],
  [0, 'Z UT UTC GMT WET'],
  [1, 'WEST BST CET MET'],
  [2, 'CEST MEST EET'],
  [3, 'EEST MSK'],
  [8, 'HKT SGT AWST'],
  [9, 'JST KST'],
  [10, 'AEST'],
  [11, 'AEDT'],
  [12, 'NZST'],
  [13, 'NZDT'],
]
const zoneHours = new Map(
  zoneNames.flatMap(([hours, names]) => names.split(' ').map(name => [name, hours] as const)),
)

const time = String.raw`(?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})(?:[.,]\d+)?)?(?:\s*(?<half>[ap]m))?`
const zone = String.raw`(?<zone>Z|(?:(?:GMT|UTC)\s?)?[+-]\d{1,2}(?::?\d{2})?|[A-Z]{2,4}|Etc\/[A-Z]{3})`
const weekday = String.raw`(?:\p{L}{2,10}\.?,?\s*)?`
const monthName = String.raw`(?<month>[a-z]{3,9})\.?`

const shapes: readonly RegExp[] = [
  // 2026-11-28T08:00:00Z, 2026/11/28 08:00, 2026-11, 2026
  String.raw`${weekday}(?<year>\d{4})(?:[-/.](?<month>\d{1,3})(?:[-/.](?<day>\d{1,3}))?)?(?:(?:T|\s+)${time}\s*${zone}?)?`,
  // 20261128T080000Z, 20261128
  String.raw`(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})(?:T?(?<hour>\d{2})(?<minute>\d{2})(?<second>\d{2})?${zone}?)?`,
  // Sat, 28 Nov 2026 08:00:00 +0800, 28-Nov-26
  String.raw`${weekday}(?<day>\d{1,2})(?:st|nd|rd|th)?[\s-]+${monthName},?[\s-]+(?<year>\d{4}|\d{2})(?:[\s,T]+${time}\s*${zone}?)?`,
  // Nov 28, 2026 08:00 GMT
  String.raw`(?:\p{L}{2,10}\.?,?\s+)?${monthName}\s+(?<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?<year>\d{4})(?:[\s,]+(?:at\s)?${time}\s*${zone}?)?`,
  // Sat Nov 28 08:00:00 GMT 2026
  String.raw`${weekday}${monthName}\s+(?<day>\d{1,2})\s+${time}\s*${zone}?\s+(?<year>\d{4})`,
].map(source => new RegExp(`^${source}$`, 'iu'))

/**
 * The instant a feed's date means; a date without a zone is read as UTC, one
 * written with 年 as UTC+8 and with 년 as UTC+9. Undefined for what is no date
 * between 1970 and 2100: a wrong date is worse than none.
 */
export function feedDate(raw: string): Millis | undefined {
  const text = westernised(raw.replace(/\s+/g, ' ').trim().slice(0, 80))
  if (/^\d{10}$/.test(text.date)) return Number(text.date) * secondMs
  if (/^\d{13}$/.test(text.date)) return Number(text.date)
  for (const shape of shapes) {
    const parts = shape.exec(text.date)?.groups
    if (parts) return instantOf(parts, text.zoneHours)
  }
  return undefined
}

/** Year, month and day signs of Chinese, Japanese and Korean dates become dashes. */
function westernised(text: string): { date: string; zoneHours: number } {
  if (!/[年년]/u.test(text)) return { date: text, zoneHours: 0 }
  const half = /下午|오후|晚上/u.test(text) ? ' pm' : ''
  const date = text
    .replace(/\s*[年月년월]\s*/gu, '-')
    .replace(/[日号일]/gu, ' ')
    .replace(/上午|下午|오전|오후|晚上|[(（]?(?:星期|周).[)）]?/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return { date: /:/.test(date) ? date + half : date, zoneHours: /년/u.test(text) ? 9 : 8 }
}

function instantOf(parts: Record<string, string | undefined>, unzonedHours: number): Millis | undefined {
  const year = fullYear(parts['year']!)
  const month = monthNumber(parts['month'] ?? '1')
  const day = Number(parts['day'] ?? 1)
  const hour = hourOfDay(Number(parts['hour'] ?? 0), parts['half'])
  const [minute, second] = [Number(parts['minute'] ?? 0), Number(parts['second'] ?? 0)]
  const isClock = hour < 24 ? minute < 60 && second <= 60 : hour === 24 && minute === 0 && second === 0
  if (year < 1970 || year > 2100 || month === undefined || !isClock) return undefined
  const midnight = Date.UTC(year, month - 1, day)
  if (day < 1 || new Date(midnight).getUTCMonth() !== month - 1) return undefined
  const offset = parts['zone'] === undefined ? unzonedHours * hourMs : zoneOffset(parts['zone'])
  if (offset === undefined) return undefined
  return midnight + hour * hourMs + minute * minuteMs + Math.min(second, 59) * secondMs - offset
}

/** Two digits: 70 and more are of the last century. */
function fullYear(text: string): number {
  const year = Number(text)
  return text.length > 2 ? year : year + (year < 70 ? 2000 : 1900)
}

function monthNumber(text: string): number | undefined {
  if (/^\d+$/.test(text)) return Number(text) >= 1 && Number(text) <= 12 ? Number(text) : undefined
  const name = text.toLowerCase()
  const index = name === 'sept' ? 8 : Math.max(months.indexOf(name), fullMonths.indexOf(name))
  return index === -1 ? undefined : index + 1
}

function hourOfDay(hour: number, half: string | undefined): number {
  if (half === undefined || hour > 12) return hour
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

/** A name that is not known is read as UTC: some hours off is nearer than undated. */
function zoneOffset(zone: string): Millis | undefined {
  const match = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone)
  if (!match) return (zoneHours.get(zone.toUpperCase()) ?? 0) * hourMs
  const [hours, minutes] = [Number(match[2]), Number(match[3] ?? 0)]
  if (hours > 15 || minutes > 59) return undefined
  return (match[1] === '-' ? -1 : 1) * (hours * hourMs + minutes * minuteMs)
}
