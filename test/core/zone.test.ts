import assert from 'node:assert/strict'
import test from 'node:test'
import { fillPath, isoWeek, isTimeZone, localTime } from '../../src/core/zone.ts'
import { nodeClock } from '../../src/world/node-clock.ts'

const table: [string, string, string][] = [
  ['2026-11-28T16:30:00Z', 'Asia/Shanghai', '2026-11-29 00:30 Sunday +480'],
  ['2026-03-29T00:59:59Z', 'Europe/Berlin', '2026-03-29 01:59 Sunday +60'],
  ['2026-03-29T01:00:00Z', 'Europe/Berlin', '2026-03-29 03:00 Sunday +120'],
  ['2026-10-25T01:00:00Z', 'Europe/Berlin', '2026-10-25 02:00 Sunday +60'],
  ['2026-11-01T05:59:00Z', 'America/New_York', '2026-11-01 01:59 Sunday +-240'],
  ['2026-01-01T00:00:00Z', 'Australia/Lord_Howe', '2026-01-01 11:00 Thursday +660'],
  ['2026-07-01T00:00:00Z', 'Asia/Kathmandu', '2026-07-01 05:45 Wednesday +345'],
  ['2024-02-29T23:59:59Z', 'UTC', '2024-02-29 23:59 Thursday +0'],
]

test('the local day, hour and weekday are those of the zone, by both clocks', () => {
  for (const [iso, zone, expected] of table) {
    for (const local of [localTime, nodeClock().local]) {
      const { date, time, weekdayName, offsetMinutes } = local(Date.parse(iso), zone)
      assert.equal(`${date} ${time} ${weekdayName} +${offsetMinutes}`, expected)
    }
  }
})

test('asking for a zone leaves the zone of the process as it was', () => {
  const before = [process.env['TZ'], new Date(0).getTimezoneOffset()]
  nodeClock().local(0, 'Asia/Kathmandu')
  assert.deepEqual([process.env['TZ'], new Date(0).getTimezoneOffset()], before)
})

test('zones that do not exist are known as such', () => {
  assert.deepEqual(['Asia/Shanghai', 'UTC', 'Asia/Shangai', ''].map(isTimeZone), [true, true, false, false])
})

test('weeks are those of ISO 8601', () => {
  const weeks: [string, string][] = [
    ['2026-01-01', '2026-W01'],
    ['2027-01-01', '2026-W53'],
    ['2024-12-30', '2025-W01'],
    ['2026-11-30', '2026-W49'],
  ]
  for (const [date, week] of weeks) assert.equal(isoWeek(date), week)
})

test('a path is filled in, and an unknown name is refused with the known ones', () => {
  assert.equal(
    fillPath('daily/{date}/{agent}.md', { date: '2026-11-28', agent: 'zoe' }),
    'daily/2026-11-28/zoe.md',
  )
  assert.throws(() => fillPath('{dat}.md', { date: 'x' }), /unknown \{dat\} in \{dat\}\.md; known are date/)
})
