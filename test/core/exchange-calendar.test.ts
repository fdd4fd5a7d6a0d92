import assert from 'node:assert/strict'
import test from 'node:test'
import { nextSlots } from '../../src/core/cron.ts'
import { calendarWarning, type Exchange, marketState } from '../../src/core/exchange-calendar.ts'
import { xnys } from '../../src/core/exchange/xnys.ts'
import { xshg } from '../../src/core/exchange/xshg.ts'
import { marketLint } from '../../src/core/market-lint.ts'
import { dayMs } from '../../src/core/millis.ts'

test('a market is open in its sessions on its trading days', () => {
  const table: [Exchange, string, string][] = [
    ['XSHG', '2026-11-30T01:29:59Z', 'day'],
    ['XSHG', '2026-11-30T01:30:00Z', 'session'],
    ['XSHG', '2026-11-30T03:30:00Z', 'day'],
    ['XSHG', '2026-11-30T05:00:00Z', 'session'],
    ['XSHG', '2026-11-30T07:00:00Z', 'day'],
    ['XSHG', '2026-10-01T02:00:00Z', 'closed'],
    ['XSHG', '2026-02-28T02:00:00Z', 'closed'],
    ['XSHG', '2026-02-24T02:00:00Z', 'session'],
    ['XNYS', '2026-11-30T14:30:00Z', 'session'],
    ['XNYS', '2026-07-01T13:30:00Z', 'session'],
    ['XNYS', '2026-11-30T13:30:00Z', 'day'],
    ['XNYS', '2026-11-27T17:59:00Z', 'session'],
    ['XNYS', '2026-11-27T18:00:00Z', 'day'],
    ['XNYS', '2026-11-26T15:00:00Z', 'closed'],
    ['XNYS', '2026-11-29T01:00:00Z', 'closed'],
    ['XNYS', '2026-11-28T03:00:00Z', 'day'],
  ]
  for (const [exchange, iso, expected] of table) {
    const { isTradingDay, isInSession, reason } = marketState(exchange, Date.parse(iso))
    assert.equal(isInSession ? 'session' : isTradingDay ? 'day' : 'closed', expected, `${exchange} ${iso}`)
    assert.equal(reason === '', isInSession)
  }
})

test('the reason reads on after "is closed:"', () => {
  const reason = (exchange: Exchange, date: string, time: string): string =>
    marketState(exchange, { date, time }).reason
  assert.equal(reason('XSHG', '2026-10-01', '10:00'), '2026-10-01 is a holiday, National Day')
  assert.equal(reason('XNYS', '2026-11-29', '10:00'), '2026-11-29 is a Sunday')
  assert.equal(
    reason('XSHG', '2026-11-30', '12:00'),
    '2026-11-30 12:00 in Asia/Shanghai is outside its hours 09:30-11:30 and 13:00-15:00',
  )
})

test('a calendar warns before it ends and when it has ended, and weekdays then count as open', () => {
  assert.equal(calendarWarning('XSHG', '2026-11-16'), undefined)
  assert.match(calendarWarning('XSHG', '2026-11-30')!, /XSHG calendar ends on 2026-12-31; .*Update claw/)
  assert.match(calendarWarning('XSHG', '2027-01-01')!, /ended on 2026-12-31/)
  assert.match(calendarWarning('XNYS', '2023-12-31')!, /begins on 2024-01-01/)
  assert.equal(calendarWarning('XNYS', '2026-11-30'), undefined)
  assert.equal(marketState('XSHG', { date: '2027-01-01', time: '10:00' }).isInSession, true)
})

test('the holidays are weekdays in order inside the years of the calendar, and early closes are trading days', () => {
  for (const { holidays, earlyCloses, from, until } of [xshg, xnys]) {
    const dates = Object.keys(holidays)
    assert.deepEqual(dates, [...dates].sort())
    for (const date of [...dates, ...Object.keys(earlyCloses)]) {
      assert.ok(date >= from && date <= until, date)
      assert.ok(![0, 6].includes(new Date(date).getUTCDay()), `${date} is at a weekend`)
    }
    assert.deepEqual(
      Object.keys(earlyCloses).filter(date => date in holidays),
      [],
    )
  }
})

/** The published rules of the exchange, apart from days of mourning: the table is computed a second time. */
function newYorkHolidays(year: number): string[] {
  const observed = (month: number, day: number): string | undefined => {
    const at = Date.UTC(year, month - 1, day)
    const weekday = new Date(at).getUTCDay()
    if (weekday === 6 && month === 1) return undefined
    return text(weekday === 6 ? at - dayMs : weekday === 0 ? at + dayMs : at)
  }
  const nth = (month: number, weekday: number, count: number): string => {
    const first = new Date(Date.UTC(year, month - 1, 1)).getUTCDay()
    return text(Date.UTC(year, month - 1, 1 + ((weekday - first + 7) % 7) + (count - 1) * 7))
  }
  const lastOfMay = new Date(Date.UTC(year, 4, 31)).getUTCDay()
  const memorial = text(Date.UTC(year, 4, 31 - ((lastOfMay + 6) % 7)))
  const fixed = [observed(1, 1), observed(6, 19), observed(7, 4), observed(12, 25)].filter(
    date => date !== undefined,
  )
  return [
    ...fixed,
    nth(1, 1, 3),
    nth(2, 1, 3),
    text(easter(year) - 2 * dayMs),
    memorial,
    nth(9, 1, 1),
    nth(11, 4, 4),
  ].sort()
}

function text(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Gregorian computus (Meeus, Jones and Butcher). */
function easter(year: number): number {
  const a = year % 19
  const b = Math.floor(year / 100)
  const c = year % 100
  const d = Math.floor(b / 4)
  const g = Math.floor((8 * b + 13) / 25)
  const h = (19 * a + b - d - g + 15) % 30
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  return Date.UTC(year, Math.floor(sum / 31) - 1, (sum % 31) + 1)
}

test('the New York table is what the published rules give', () => {
  for (const year of [2024, 2025, 2026, 2027, 2028]) {
    const listed = Object.keys(xnys.holidays).filter(
      date => date.startsWith(`${year}`) && date !== '2025-01-09',
    )
    assert.deepEqual(listed, newYorkHolidays(year))
  }
})

test('a schedule that misses the market is told, with the first moment in both zones', () => {
  const lint = (
    expression: string,
    timeZone: string,
    exchange: Exchange,
    during: 'day' | 'session',
  ): string[] => {
    const week = nextSlots({ kind: 'cron', expression }, timeZone, Date.parse('2026-11-01T00:00:00Z'), 5)
    return marketLint(week, { exchange, during, timeZone })
  }
  assert.deepEqual(lint('0 22 * * 0-4', 'Asia/Shanghai', 'XNYS', 'day'), [
    '1 of 5 slots is on the weekend of XNYS and would be skipped, such as Sunday 22:00 is Sunday 09:00 in America/New_York',
  ])
  assert.deepEqual(lint('0 8 * * 1-5', 'Asia/Shanghai', 'XSHG', 'session'), [
    'every slot is outside the hours of XSHG and would be skipped, such as Monday 08:00',
  ])
  assert.match(
    lint('0 10 * * 6', 'Asia/Shanghai', 'XSHG', 'day')[0]!,
    /^every slot is on the weekend of XSHG/,
  )
  assert.deepEqual(lint('30 10 * * 1-5', 'Asia/Shanghai', 'XSHG', 'session'), [])
  assert.deepEqual(lint('0 22 * * 1-5', 'Asia/Shanghai', 'XNYS', 'day'), [])
})
