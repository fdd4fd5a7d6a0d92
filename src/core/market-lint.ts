import { type Exchange, exchangeZone, marketState, weekendDay } from './exchange-calendar.ts'
import type { Millis } from './millis.ts'
import { localTime, type LocalTime } from './zone.ts'

export interface MarketJob {
  exchange: Exchange
  during: 'day' | 'session'
  /** Zone of the job, for the text. */
  timeZone: string
}

/** Says what a job that is tied to an exchange can never do in a normal week. `slots` are those of one or more weeks. */
export function marketLint(slots: readonly Millis[], { exchange, during, timeZone }: MarketJob): string[] {
  const zone = exchangeZone(exchange)
  const at = (slot: Millis): string => {
    const [own, there] = [localTime(slot, timeZone), localTime(slot, zone)]
    return zone === timeZone ? momentText(own) : `${momentText(own)} is ${momentText(there)} in ${zone}`
  }
  const atWeekend = slots.filter(slot => weekendDay(localTime(slot, zone).date))
  const onWeekday = slots.filter(slot => !atWeekend.includes(slot))
  const outside = during === 'session' ? onWeekday.filter(slot => isOutside(exchange, slot)) : []
  return [
    ...lineFor(slots, atWeekend, `on the weekend of ${exchange}`, at),
    ...lineFor(slots, outside, `outside the hours of ${exchange}`, at),
  ]
}

/** Holidays and early closes are not the schedule's fault: only an ordinary day outside its hours counts. */
function isOutside(exchange: Exchange, slot: Millis): boolean {
  const { isTradingDay, isInSession } = marketState(exchange, slot)
  return isTradingDay && !isInSession
}

function lineFor(
  slots: readonly Millis[],
  wrong: readonly Millis[],
  where: string,
  at: (slot: Millis) => string,
): string[] {
  const [first] = wrong
  if (first === undefined) return []
  const isAll = wrong.length === slots.length
  const share = isAll
    ? 'every slot is'
    : `${wrong.length} of ${slots.length} slots ${wrong.length === 1 ? 'is' : 'are'}`
  return [`${share} ${where} and would be skipped, such as ${at(first)}`]
}

function momentText({ weekdayName, time }: LocalTime): string {
  return `${weekdayName} ${time}`
}
