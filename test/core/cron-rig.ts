import { parseCron } from '../../src/core/cron/fields.ts'
import { dayMs, type Millis, minuteMs } from '../../src/core/millis.ts'
import { localTime } from '../../src/core/zone.ts'
import { SeededRandom } from '../../src/sim/seeded-random.ts'

/** The whole minutes of some days around a change of clocks (at a quarter of an hour), each with its wall time. */
export interface Minutes {
  timeZone: string
  from: Millis
  /** Wall time of each minute as `Millis` that UTC would have. */
  walls: Millis[]
}

export function minutesAround(timeZone: string, iso: string, days = 2): Minutes {
  const from = Date.parse(iso) - (days / 2) * dayMs
  const offsets = new Map<number, Millis>()
  const offsetAt = (at: Millis): Millis => {
    const quarter = Math.floor(at / (15 * minuteMs)) * 15 * minuteMs
    const offset = offsets.get(quarter) ?? localTime(quarter, timeZone).offsetMinutes * minuteMs
    offsets.set(quarter, offset)
    return offset
  }
  const walls = Array.from({ length: (days * dayMs) / minuteMs }, (_, index) => {
    const at = from + index * minuteMs
    return at + offsetAt(at)
  })
  return { timeZone, from, walls }
}

/**
 * The rule of docs/decisions/07-time.md said as plainly as can be: look at every
 * minute. Shares nothing with the code under test but the parser.
 */
export function slotsByLooking(expression: string, { from, walls }: Minutes): Millis[] {
  const isFixed = !expression
    .split(' ')
    .slice(0, 2)
    .some(field => field.startsWith('*'))
  const matches = matcher(expression)
  const slots: Millis[] = []
  let latest = walls[0]! - minuteMs
  for (const [index, wall] of walls.entries()) {
    const isNew = wall > latest
    const skipped = isFixed && isNew ? wallsBetween(latest, wall) : []
    const isRepeated = isFixed && !isNew
    if ((matches(wall) && !isRepeated) || skipped.some(matches)) slots.push(from + index * minuteMs)
    latest = Math.max(latest, wall)
  }
  return slots
}

function wallsBetween(after: Millis, before: Millis): Millis[] {
  return Array.from({ length: (before - after) / minuteMs - 1 }, (_, index) => after + (index + 1) * minuteMs)
}

function matcher(expression: string): (wall: Millis) => boolean {
  const { minute, hour, day, month, weekday } = parseCron(expression)
  return wall => {
    const at = new Date(wall)
    const isTime = minute.values.includes(at.getUTCMinutes()) && hour.values.includes(at.getUTCHours())
    if (!isTime || !month.values.includes(at.getUTCMonth() + 1)) return false
    const isDay = day.values.includes(at.getUTCDate())
    const isWeekday = weekday.values.includes(at.getUTCDay())
    return day.isStar || weekday.isStar ? isDay && isWeekday : isDay || isWeekday
  }
}

export interface Dice {
  below: (limit: number) => number
  pick: <T>(values: readonly T[]) => T
}

export function dice(seed: number): Dice {
  const random = new SeededRandom(seed)
  const below = (limit: number): number => Math.floor(random.fraction() * limit)
  return { below, pick: values => values[below(values.length)]! }
}

/** A usable expression; half of them look at the hours in which clocks are changed. */
export function randomExpression({ below, pick }: Dice): string {
  const field = (low: number, high: number, few: number): string => {
    const value = (): number => low + below(high - low + 1)
    const [a, b] = [value(), value()].sort((x, y) => x - y) as [number, number]
    return pick([
      '*',
      `*/${1 + below(few)}`,
      `${a}`,
      `${a},${b}`,
      `${a}-${b}`,
      `${a}-${b}/${1 + below(few)}`,
      `${b}-${a}`,
    ])
  }
  const hour = pick([field(0, 3, 3), field(0, 23, 23), '*'])
  const day = pick(['*', '*', field(1, 28, 9)])
  const month = pick(['*', '*', '*', field(1, 12, 6)])
  return [field(0, 59, 59), hour, day, month, pick(['*', '*', field(0, 7, 3)])].join(' ')
}
