import type { ExchangeCalendar } from './exchange/calendar.ts'
import { xnys } from './exchange/xnys.ts'
import { xshg } from './exchange/xshg.ts'
import { dayMs, type Millis } from './millis.ts'
import { localTime } from './zone.ts'

const calendars = { XSHG: xshg, XNYS: xnys }

/** Market identifier codes of ISO 10383. */
export type Exchange = keyof typeof calendars

export interface MarketState {
  isTradingDay: boolean
  isInSession: boolean
  /** Why there is no session, to follow "is closed: "; empty in a session. */
  reason: string
}

/** A moment as the exchange reads it. */
export interface ExchangeTime {
  /** YYYY-MM-DD */
  date: string
  /** HH:MM */
  time: string
}

/** How long before its end a calendar is called short: time for a release and an update. */
const warnDays = 45

/**
 * Whether the exchange trades. Outside the years of the calendar every weekday
 * counts as open, since a job that does nothing on a trading day is the worse
 * mistake; `calendarWarning` says so.
 */
export function marketState(exchange: Exchange, at: Millis | ExchangeTime): MarketState {
  const calendar = calendars[exchange]
  const { date, time } = typeof at === 'number' ? localTime(at, calendar.timeZone) : at
  const holiday = closedDay(calendar, date)
  if (holiday) return { isTradingDay: false, isInSession: false, reason: holiday }
  const sessions = sessionsOn(calendar, date)
  const isInSession = sessions.some(([start, end]) => time >= start && time < end)
  if (isInSession) return { isTradingDay: true, isInSession, reason: '' }
  const hours = sessions.map(session => session.join('-')).join(' and ')
  const reason = `${date} ${time} in ${calendar.timeZone} is outside its hours ${hours}`
  return { isTradingDay: true, isInSession, reason }
}

/** What to know before relying on the calendar on this date (YYYY-MM-DD); undefined when it is complete for a while. */
export function calendarWarning(exchange: Exchange, date: string): string | undefined {
  const { from, until, announced } = calendars[exchange]
  const after = `after that every weekday counts as a trading day. Update claw for the next year (${announced})`
  if (date > until) return `the ${exchange} calendar ended on ${until}; ${after}`
  if (date < from)
    return `the ${exchange} calendar begins on ${from}; before that every weekday counts as a trading day`
  const leftDays = (Date.parse(until) - Date.parse(date)) / dayMs
  return leftDays < warnDays ? `the ${exchange} calendar ends on ${until}; ${after}` : undefined
}

export function exchangeZone(exchange: Exchange): string {
  return calendars[exchange].timeZone
}

/** Undefined on a trading day. */
function closedDay({ holidays }: ExchangeCalendar, date: string): string | undefined {
  if (weekendDay(date)) return `${date} is a ${weekendDay(date)}`
  return holidays[date] && `${date} is a holiday, ${holidays[date]}`
}

export function weekendDay(date: string): 'Saturday' | 'Sunday' | undefined {
  const weekday = new Date(date).getUTCDay()
  if (weekday === 6) return 'Saturday'
  return weekday === 0 ? 'Sunday' : undefined
}

function sessionsOn(
  { sessions, earlyCloses }: ExchangeCalendar,
  date: string,
): (readonly [string, string])[] {
  const close = earlyCloses[date]
  if (!close) return [...sessions]
  return sessions
    .filter(([start]) => start < close)
    .map(([start, end]): [string, string] => [start, end < close ? end : close])
}
