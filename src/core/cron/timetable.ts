import { dayMs, type Millis, minuteMs } from '../millis.ts'
import { type CronFields, parseCron } from './fields.ts'
import { offsetSpan } from './offset-span.ts'
import { type WallTimes, wallTimes } from './wall.ts'

export interface Timetable {
  fields: CronFields
  wall: WallTimes
  /** Neither minute nor hour begins with `*`: such a time is meant once a day, whatever the clocks do. */
  isFixed: boolean
  /** By time zone, what was found last. */
  gaps: Map<string, Gap>
}

/** No moment lies between these two (exclusive); each is a moment itself where it says so. */
interface Gap {
  from: Millis
  isFromMoment: boolean
  to: Millis
  isToMoment: boolean
}

const known = new Map<string, Timetable>()

/** Throws a `ClawError` when the expression cannot be used. */
export function timetable(expression: string): Timetable {
  let table = known.get(expression)
  if (!table) {
    const fields = parseCron(expression)
    const isFixed = !fields.minute.isStar && !fields.hour.isStar
    table = { fields, wall: wallTimes(fields), isFixed, gaps: new Map() }
    known.set(expression, table)
  }
  return table
}

/*
 * Both walks go from one offset span to the next. Inside a span wall time and
 * instant differ by a constant. For fixed times a span begins where the wall
 * clock of the span before it ended: after a gap the times in the gap are taken
 * at the first moment, after a repetition the repeated ones are left out.
 */

/** The first moment after `after`; undefined when there is none. Asked again before it has come, it is known. */
export function nextMoment(table: Timetable, timeZone: string, after: Millis): Millis | undefined {
  const gap = table.gaps.get(timeZone)
  if (gap?.isToMoment && gap.from <= after && after < gap.to) return gap.to
  const to = walkOn(table, timeZone, after)
  if (to === undefined) return undefined
  const isJoined = gap !== undefined && gap.from <= after && after < gap.to
  const { from, isFromMoment } = isJoined ? gap : { from: after, isFromMoment: false }
  table.gaps.set(timeZone, { from, isFromMoment, to, isToMoment: true })
  return to
}

/** The last moment at or before `latest`; undefined when there is none. Asked again before the next one, it is known. */
export function lastMoment(table: Timetable, timeZone: string, latest: Millis): Millis | undefined {
  const gap = table.gaps.get(timeZone)
  if (gap?.isFromMoment && gap.from <= latest && latest < gap.to) return gap.from
  const from = walkBack(table, timeZone, latest)
  if (from === undefined) return undefined
  const isJoined = gap !== undefined && gap.from <= latest && latest < gap.to && from <= gap.from
  const { to, isToMoment } = isJoined ? gap : { to: latest + 1, isToMoment: false }
  table.gaps.set(timeZone, { from, isFromMoment: true, to, isToMoment })
  return from
}

function walkOn({ wall, isFixed }: Timetable, timeZone: string, after: Millis): Millis | undefined {
  let at = (Math.floor(after / minuteMs) + 1) * minuteMs
  for (;;) {
    const { from, until, offset, before } = offsetSpan(timeZone, at)
    let earliest = at + offset
    if (isFixed) earliest = at === from ? from + before : Math.max(earliest, from + before)
    const found = wall.from(earliest)
    if (found === undefined) return undefined
    const moment = Math.max(found - offset, from)
    if (moment < until) return moment
    at = until - at > dayMs ? Math.max(until, moment - farMs) : until
  }
}

function walkBack({ wall, isFixed }: Timetable, timeZone: string, latest: Millis): Millis | undefined {
  let at = latest
  for (;;) {
    const { from, offset, before } = offsetSpan(timeZone, at)
    const found = wall.upTo(at + offset)
    if (found === undefined) return undefined
    if (found >= from + (isFixed ? before : offset)) return Math.max(found - offset, from)
    at = at - from > dayMs ? Math.min(from - 1, found - offset + farMs) : from - 1
  }
}

/** More than clocks are ever changed by: what lies further away cannot be reached by a change. */
const farMs = 2 * dayMs
