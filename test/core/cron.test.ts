import assert from 'node:assert/strict'
import test from 'node:test'
import { cronProblem, cronWarnings, latestSlot, nextSlots, slotsBetween } from '../../src/core/cron.ts'
import type { Schedule } from '../../src/core/job.ts'
import { dayMs, hourMs, minuteMs } from '../../src/core/millis.ts'

const cron = (expression: string): Schedule => ({ kind: 'cron', expression })

function next(expression: string, timeZone: string, after: string, count: number): string[] {
  return nextSlots(cron(expression), timeZone, Date.parse(after), count).map(iso)
}

function iso(at: number): string {
  return new Date(at).toISOString().slice(0, 16)
}

const monday = '2026-11-30T00:00:00Z'

test('a field takes numbers, lists, ranges, steps, names and ranges that wrap', () => {
  const table: [string, string][] = [
    ['30 8 * * *', '2026-11-30T08:30 2026-12-01T08:30'],
    ['05 08 * * *', '2026-11-30T08:05 2026-12-01T08:05'],
    ['0 0 1 jan,Mar *', '2027-01-01T00:00 2027-03-01T00:00'],
    ['0 9 * * sat-SUN', '2026-12-05T09:00 2026-12-06T09:00'],
    ['0 9 * * 7', '2026-12-06T09:00 2026-12-13T09:00'],
    ['0 9 * * 5-7', '2026-12-04T09:00 2026-12-05T09:00'],
    ['0 9 * * FRI-MON', '2026-11-30T09:00 2026-12-04T09:00'],
    ['0 22-2/2 * * *', '2026-11-30T02:00 2026-11-30T22:00'],
    ['50-10/10 4 * * *', '2026-11-30T04:00 2026-11-30T04:10'],
    ['0 0 28-2 * *', '2026-12-01T00:00 2026-12-02T00:00'],
    ['0 0 1 NOV-FEB/3 *', '2027-02-01T00:00 2027-11-01T00:00'],
    ['@weekly', '2026-12-06T00:00 2026-12-13T00:00'],
    ['@Hourly', '2026-11-30T01:00 2026-11-30T02:00'],
    ['0 0 29 2 *', '2028-02-29T00:00 2032-02-29T00:00'],
    ['0 0 29 2 */7', '2032-02-29T00:00 2060-02-29T00:00'],
    ['  0   9\t* * 1-7 ', '2026-11-30T09:00 2026-12-01T09:00'],
  ]
  for (const [expression, expected] of table) {
    assert.equal(next(expression, 'UTC', monday, 2).join(' '), expected, expression)
  }
})

test('two restricted day fields are alternatives, and both must match when one begins with *, as in cron', () => {
  assert.deepEqual(
    next('0 0 13 * 5', 'UTC', monday, 3),
    ['2026-12-04', '2026-12-11', '2026-12-13'].map(midnight),
  )
  assert.deepEqual(
    next('0 0 */2 * 1', 'UTC', monday, 3),
    ['2026-12-07', '2026-12-21', '2027-01-11'].map(midnight),
  )
  assert.deepEqual(next('0 0 1-31 * 5', 'UTC', monday, 2), ['2026-12-01', '2026-12-02'].map(midnight))
})

function midnight(date: string): string {
  return `${date}T00:00`
}

test('what cron cannot fire is refused with the field and what it allows', () => {
  const table: [string, RegExp][] = [
    ['', /has 0 fields; a crontab line has 5/],
    ['* * * *', /has 4 fields/],
    ['0 * * * * *', /has 6 fields/],
    ['60 * * * *', /minute field: 60 is out of range; allowed are 0-59/],
    ['0 24 * * *', /hour field: 24 is out of range; allowed are 0-23/],
    ['0 0 0 * *', /day-of-month field: 0 is out of range; allowed are 1-31/],
    ['0 0 1 13 *', /month field: 13 is out of range; allowed are 1-12 or JAN-DEC/],
    ['0 0 * MOX *', /month field: "MOX" is unknown; allowed are 1-12 or JAN-DEC/],
    ['0 0 * JANUARY *', /month field: "JANUARY" is unknown/],
    ['0 0 * * 8', /weekday field: 8 is out of range; allowed are 0-7/],
    ['0 0 * * MON1', /weekday field: "MON1" is unknown/],
    ['0 MON * * *', /hour field: "MON" is unknown/],
    ['0 0 * * WE', /weekday field: "WE" is unknown/],
    ['0 0 L * *', /day-of-month field: "L" is not something that cron can fire/],
    ['0 0 15W * *', /"15W" is not something that cron can fire/],
    ['0 0 * * 5#2', /"5#2" is not something that cron can fire/],
    ['0 0 ? * 1', /"\?" is not something that cron can fire/],
    ['1,,2 * * * *', /minute field: "1,,2" has an empty item/],
    ['1- * * * *', /an end of a range is missing/],
    ['1-2-3 * * * *', /"1-2-3" cannot be read/],
    ['*/0 * * * *', /the step of "\*\/0" must be a number from 1/],
    ['*/x * * * *', /the step of "\*\/x" must be a number/],
    ['*/60 * * * *', /longer than the field/],
    ['5/15 * * * *', /needs a range before the step, such as 5-59\/15/],
    ['1.5 * * * *', /"1.5" is unknown/],
    ['-5 * * * *', /an end of a range is missing/],
    ['@reboot', /is no schedule; known are @yearly/],
    ['0 0 30 2 *', /never fires: no month of it has a day 30 \(February has 29 days\)/],
    ['0 0 31 4,6,9,11 *', /never fires: no month of it has a day 31/],
    ['0 0 30 2 */2', /never fires/],
  ]
  for (const [expression, expected] of table) {
    assert.match(cronProblem(expression, 'UTC') ?? 'accepted', expected, expression)
    assert.throws(() => nextSlots(cron(expression), 'UTC', 0, 1), expected, expression)
  }
  assert.equal(cronProblem('0 0 * * *', 'Asia/Shangai'), 'unknown time zone Asia/Shangai')
  for (const fine of ['0 0 29 2 *', '0 0 30 2 1', '* * * * *', '@daily', '0 0 31 1-12 *']) {
    assert.equal(cronProblem(fine, 'Asia/Shanghai'), undefined, fine)
  }
})

test('an impossible date is refused without a search through the years', { timeout: 30_000 }, () => {
  for (let count = 0; count < 3000; count++) {
    assert.match(cronProblem(`${count % 60} 0 31 2,4,6 *`, 'UTC') ?? '', /never fires/)
  }
})

test('what is legal and often not meant is warned of', () => {
  const table: [string, RegExp][] = [
    ['0 0 13 * 5', /^day-of-month 13 or weekday 5: cron fires when either matches/],
    ['0 0 */2 * 1', /must both match/],
    ['*/45 * * * *', /it means 0, 45, with 15 instead of 45 after 45/],
    ['0 */7 * * *', /it means 0, 7, 14, 21, with 3 instead of 7 after 21/],
    ['0 0 31 * *', /no day 31 in February, April, June, September, November/],
    ['0 0 29 2 *', /February except in leap years/],
    ['0 0 */2 * *', /starts anew on the 1st/],
    ['0 0 * * */2', /starts anew on Sunday: it means 0, 2, 4, 6/],
    ['* 8 * * *', /fires 60 times in each of its hours; 0 8 would be once/],
    ['1-5/10 * * * *', /step longer than its range: it only means 1/],
  ]
  for (const [expression, expected] of table)
    assert.match(cronWarnings(expression).join('\n'), expected, expression)
  for (const plain of [
    '30 8 * * *',
    '*/15 9-17 * * 1-5',
    '0 0 1 * *',
    '* * * * *',
    '0 */6 * * *',
    '0 9 * * 1-5/2',
  ]) {
    assert.deepEqual(cronWarnings(plain), [], plain)
  }
})

test('the latest slot is the last one at or before a moment, to the millisecond', () => {
  const at = (text: string): string | undefined => {
    const slot = latestSlot(cron('30 8 * * 1'), 'Asia/Shanghai', Date.parse(text))
    return slot === undefined ? undefined : iso(slot)
  }
  assert.equal(at('2026-11-30T00:30:00.000Z'), '2026-11-30T00:30')
  assert.equal(at('2026-11-30T00:30:59.999Z'), '2026-11-30T00:30')
  assert.equal(at('2026-11-30T00:29:59.999Z'), '2026-11-23T00:30')
})

test('the slots between two moments exclude the first, include the last, and keep the newest', () => {
  const between = (limit?: number): string[] =>
    slotsBetween(cron('0 * * * *'), 'UTC', Date.parse(monday), Date.parse(monday) + 4 * hourMs, limit).map(
      iso,
    )
  assert.deepEqual(
    between(),
    ['01', '02', '03', '04'].map(hour => `2026-11-30T${hour}:00`),
  )
  assert.deepEqual(between(2), ['2026-11-30T03:00', '2026-11-30T04:00'])
  assert.deepEqual(between(0), [])
})

test('`every` is counted from 1970 in UTC, `at` is once, and a manual job has no slot', () => {
  const every: Schedule = { kind: 'every', everyMs: 30 * minuteMs }
  const at: Schedule = { kind: 'at', at: Date.parse(monday) }
  const before = Date.parse(monday) - 1
  assert.deepEqual(nextSlots(every, 'UTC', before, 2).map(iso), ['2026-11-30T00:00', '2026-11-30T00:30'])
  assert.deepEqual(slotsBetween(every, 'UTC', before, before + hourMs, 5).length, 2)
  assert.deepEqual(nextSlots(at, 'UTC', before, 3), [before + 1])
  assert.deepEqual(nextSlots(at, 'UTC', before + 1, 3), [])
  assert.deepEqual(slotsBetween(at, 'UTC', before, before + dayMs), [before + 1])
  assert.deepEqual(slotsBetween({ kind: 'manual' }, 'UTC', 0, before), [])
})
