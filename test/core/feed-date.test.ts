import assert from 'node:assert/strict'
import { test } from 'node:test'
import { feedDate } from '../../src/core/feed-date.ts'

const rows: [raw: string, iso: string][] = [
  ['Sat, 28 Nov 2026 08:00:00 +0800', '2026-11-28T00:00:00.000Z'],
  ['Sat, 28 Nov 26 08:00 GMT', '2026-11-28T08:00:00.000Z'],
  ['28 November 2026', '2026-11-28T00:00:00.000Z'],
  ['Mon, 28 Nov, 2026 08:00:00 EST', '2026-11-28T13:00:00.000Z'],
  ['Sat,28 Nov 2026 08:00:00 -0000', '2026-11-28T08:00:00.000Z'],
  ['Sat Nov 28 08:00:00 2026', '2026-11-28T08:00:00.000Z'],
  ['Sat Nov 28 08:00:00 +0100 2026', '2026-11-28T07:00:00.000Z'],
  ['Nov 28, 2026 8:05 pm', '2026-11-28T20:05:00.000Z'],
  ['November 28th, 2026', '2026-11-28T00:00:00.000Z'],
  ['2026-11-28T08:00:00.123456Z', '2026-11-28T08:00:00.000Z'],
  ['2026-11-28T08:00:00+08:00', '2026-11-28T00:00:00.000Z'],
  ['2026-11-28 08:00:00 -0530', '2026-11-28T13:30:00.000Z'],
  ['2026-11-28 08:00', '2026-11-28T08:00:00.000Z'],
  ['2026/11/28', '2026-11-28T00:00:00.000Z'],
  ['2026-11', '2026-11-01T00:00:00.000Z'],
  ['20261128T080000Z', '2026-11-28T08:00:00.000Z'],
  ['2026-11-28T24:00:00Z', '2026-11-29T00:00:00.000Z'],
  ['2026-12-31T23:59:60Z', '2026-12-31T23:59:59.000Z'],
  ['1795824000', '2026-11-28T00:00:00.000Z'],
  ['1795824000000', '2026-11-28T00:00:00.000Z'],
  ['2026年11月28日 08:00', '2026-11-28T00:00:00.000Z'],
  ['2026年11月28日 星期六 下午3:30', '2026-11-28T07:30:00.000Z'],
  ['2026년 11월 28일 09:00:00', '2026-11-28T00:00:00.000Z'],
]

const none = [
  '',
  'yesterday',
  'Sat, 99 Nov 2026 08:00:00 GMT',
  '2026-13-01',
  '2026-02-30',
  '2026-11-28T25:00:00Z',
  '2026-11-28T08:61:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T00:00:00Z',
  'Sat, 28 Zzz 2026 08:00:00 GMT',
  '2026-11-28T08:00:00Ztail',
  '2026-11-28T08:00:00+99:99',
  '28 Nov 2026 1:2:3:4 GMT',
  '\u0000'.repeat(1000),
]

test('the dates that feeds write are read, whatever the zone of this host', () => {
  for (const [raw, iso] of rows) assert.equal(isoOf(raw), iso, raw)
})

test('what is no possible date is none', () => {
  for (const raw of none) assert.equal(feedDate(raw), undefined, raw)
})

test('the table catches a reading in the zone of the host', () => {
  assert.ok(rows.some(([raw, iso]) => new Date(raw).toString() !== iso))
})

function isoOf(raw: string): string | undefined {
  const at = feedDate(raw)
  return at === undefined ? undefined : new Date(at).toISOString()
}
