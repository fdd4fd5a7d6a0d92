import { dayMs, type Millis, minuteMs } from '../millis.ts'
import { localTime } from '../zone.ts'

/** A stretch of time in which a zone keeps its offset. It can be shorter than the whole stretch, never longer. */
export interface OffsetSpan {
  from: Millis
  /** The first moment after it. */
  until: Millis
  /** Milliseconds east of UTC. */
  offset: Millis
  /** The offset just before `from`: equal unless the clocks were changed there. */
  before: Millis
}

/** Shorter than any two clock changes of a zone since 1970 and until 2100 are apart (6.96 days: Recife 2000, Gaza 2040). */
const stretchMs = 4 * dayMs

/** Stretches begin just after a whole minute, so no change of clocks falls on their ends. */
const leadMs = 1

/** Per zone and stretch: one span, or two around a change. */
const known = new Map<string, Map<number, readonly OffsetSpan[]>>()

/** Throws a RangeError when the zone is unknown. */
export function offsetSpan(timeZone: string, at: Millis): OffsetSpan {
  let stretches = known.get(timeZone)
  if (!stretches) known.set(timeZone, (stretches = new Map()))
  const index = Math.floor((at - leadMs) / stretchMs)
  let spans = stretches.get(index)
  if (!spans) stretches.set(index, (spans = spansOf(timeZone, index * stretchMs + leadMs)))
  return spans.find(span => at < span.until)!
}

function spansOf(timeZone: string, from: Millis): OffsetSpan[] {
  const until = from + stretchMs
  const before = offsetAt(timeZone, from)
  const offset = offsetAt(timeZone, until)
  if (before === offset) return [{ from, until, offset, before }]
  const change = changeBetween(timeZone, from - leadMs, until - leadMs)
  return [
    { from, until: change, offset: before, before },
    { from: change, until, offset, before },
  ]
}

/** The first whole minute that has another offset than `low`. */
function changeBetween(timeZone: string, low: Millis, high: Millis): Millis {
  const before = offsetAt(timeZone, low)
  let [same, other] = [low, high]
  while (other - same > minuteMs) {
    const middle = Math.floor((same + other) / 2 / minuteMs) * minuteMs
    if (offsetAt(timeZone, middle) === before) same = middle
    else other = middle
  }
  return other
}

function offsetAt(timeZone: string, at: Millis): Millis {
  return localTime(at, timeZone).offsetMinutes * minuteMs
}
