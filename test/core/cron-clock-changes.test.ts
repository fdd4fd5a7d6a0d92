import assert from 'node:assert/strict'
import test from 'node:test'
import { Cron } from 'croner'
import { latestSlot, nextSlots, slotsBetween } from '../../src/core/cron.ts'
import { dayMs, type Millis, minuteMs } from '../../src/core/millis.ts'
import { dice, type Minutes, minutesAround, randomExpression, slotsByLooking } from './cron-rig.ts'

/** Zone, what happens there, and a moment near it. */
const changes: [string, string, string][] = [
  ['Europe/Berlin', 'a gap of an hour', '2026-03-29T01:00:00Z'],
  ['Europe/Berlin', 'a repeated hour', '2026-10-25T01:00:00Z'],
  ['America/New_York', 'a gap of an hour', '2026-03-08T07:00:00Z'],
  ['America/New_York', 'a repeated hour', '2026-11-01T06:00:00Z'],
  ['Australia/Lord_Howe', 'a gap of half an hour', '2026-10-03T15:30:00Z'],
  ['Australia/Lord_Howe', 'a repeated half hour', '2026-04-04T15:00:00Z'],
  ['America/Sao_Paulo', 'a gap at midnight', '2018-11-04T03:00:00Z'],
  ['America/Sao_Paulo', 'a repeated hour before midnight', '2019-02-17T02:00:00Z'],
  ['Asia/Beirut', 'a gap at midnight', '2026-03-28T22:00:00Z'],
  ['Africa/Cairo', 'a gap at midnight', '2026-04-23T22:00:00Z'],
  ['Africa/Cairo', 'a repeated hour before midnight', '2026-10-29T21:00:00Z'],
  ['America/Havana', 'a gap at midnight', '2026-03-08T05:00:00Z'],
  ['Pacific/Apia', 'a day that does not exist', '2011-12-30T10:00:00Z'],
  ['Antarctica/Troll', 'a gap of two hours', '2026-03-29T01:00:00Z'],
  ['America/Caracas', 'a gap of half an hour, once', '2016-05-01T07:00:00Z'],
  ['Asia/Pyongyang', 'half an hour at midnight', '2018-05-04T15:00:00Z'],
  ['Asia/Shanghai', 'nothing', '2026-03-29T01:00:00Z'],
]

function table(expression: string, timeZone: string, days: string, expected: string): void {
  const from = Date.parse(`${days}T00:00:00Z`)
  const slots = nextSlots({ kind: 'cron', expression }, timeZone, from, expected.split(' ').length)
  const found = slots.map(at => new Date(at).toISOString().slice(5, 16)).join(' ')
  assert.equal(found, expected, `${expression} ${timeZone}`)
}

test('a fixed time in the gap runs once right after it, and the day after as always', () => {
  table('30 2 * * *', 'Europe/Berlin', '2026-03-28', '03-28T01:30 03-29T01:00 03-30T00:30')
  table('0,15,30 2 * * *', 'Europe/Berlin', '2026-03-29', '03-29T01:00 03-30T00:00')
  table('0 2,3 * * *', 'Europe/Berlin', '2026-03-29', '03-29T01:00 03-30T00:00')
  table('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03', '10-03T15:30 10-04T15:15')
  table('0 0 * * *', 'America/Sao_Paulo', '2018-11-04', '11-04T03:00 11-05T02:00')
  table('30 0 * * *', 'Africa/Cairo', '2026-04-23', '04-23T22:00 04-24T21:30')
})

test('a weekly job on the Sunday of the gap does not lose its week', () => {
  table('30 2 * * 0', 'America/New_York', '2026-03-02', '03-08T07:00 03-15T06:30')
  table('30 2 8 3 *', 'America/New_York', '2026-03-02', '03-08T07:00')
})

test('a fixed time in the repeated hour runs in the first pass only', () => {
  table('30 2 * * *', 'Europe/Berlin', '2026-10-24', '10-24T00:30 10-25T00:30 10-26T01:30')
  table('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04', '04-04T14:45 04-05T15:15')
})

test('a wildcard follows the clock: both passes, and nothing for what does not exist', () => {
  const twice = '10-24T00:30 10-25T00:00 10-25T00:30 10-25T01:00 10-25T01:30 10-26T01:00'
  table('*/30 2 * * *', 'Europe/Berlin', '2026-10-24', twice)
  table('*/30 2 * * *', 'Europe/Berlin', '2026-03-29', '03-30T00:00 03-30T00:30')
  table('30 * * * *', 'Europe/Berlin', '2026-03-29', '03-29T00:30 03-29T01:30')
})

let days: Minutes[] | undefined

/** Counts expressions for which `slots` differs from looking at every minute. */
function differences(
  perChange: number,
  slots: (expression: string, timeZone: string, from: Millis) => Millis[],
): number {
  const random = dice(7)
  let wrong = 0
  days ??= changes.map(([timeZone, , iso]) => minutesAround(timeZone, iso))
  for (const minutes of days) {
    const { timeZone } = minutes
    for (let count = 0; count < perChange; count++) {
      const expression = randomExpression(random)
      const expected = slotsByLooking(expression, minutes)
      if (slots(expression, timeZone, minutes.from).join() !== expected.join()) wrong++
    }
  }
  return wrong
}

const span = 2 * dayMs
const perChange = process.env['SWEEP'] === 'all' ? 300 : 15

test('forwards and backwards, random expressions fire at the minutes that the rule names', () => {
  const forwards = (expression: string, timeZone: string, from: Millis): Millis[] => {
    const slots: Millis[] = []
    let [slot] = nextSlots({ kind: 'cron', expression }, timeZone, from - 1, 1)
    while (slot !== undefined && slot < from + span) {
      slots.push(slot)
      ;[slot] = nextSlots({ kind: 'cron', expression }, timeZone, slot, 1)
    }
    return slots
  }
  const backwards = (expression: string, timeZone: string, from: Millis): Millis[] =>
    slotsBetween({ kind: 'cron', expression }, timeZone, from - 1, from + span - minuteMs)
  assert.equal(differences(perChange, forwards), 0)
  assert.equal(differences(perChange, backwards), 0)
})

test('the library alone does not keep the rule, and the comparison sees it', () => {
  const alone = (expression: string, timezone: string, from: Millis): Millis[] => {
    const cron = new Cron(expression, {
      timezone,
      mode: '5-part',
      paused: true,
      fixedTimeRule: 'no-wildcard',
    })
    const slots: Millis[] = []
    let slot = cron.nextRun(new Date(from - 1000))?.getTime()
    while (slot !== undefined && slot < from + span) {
      slots.push(slot)
      slot = cron.nextRun(new Date(slot))?.getTime()
    }
    return slots
  }
  assert.ok(differences(1, (...given) => attempt(() => alone(...given))) > 0)
})

function attempt(slots: () => Millis[]): Millis[] {
  try {
    return slots()
  } catch {
    return []
  }
}

test('away from changes of clocks our slots are those of the library', () => {
  const random = dice(11)
  for (let count = 0; count < 150; count++) {
    const expression = randomExpression(random)
    if (/(\d+)-(\d+)/.test(expression)) continue
    const [day, weekday] = [expression.split(' ')[2]!, expression.split(' ')[4]!]
    const cron = new Cron(expression, {
      timezone: 'Asia/Shanghai',
      mode: '5-part',
      paused: true,
      domAndDow: day.startsWith('*') || weekday.startsWith('*'),
    })
    const from = Date.parse('2026-01-01T00:00:00Z') + random.below(365) * dayMs
    const expected = cron.nextRuns(3, new Date(from)).map(date => date.getTime())
    assert.deepEqual(nextSlots({ kind: 'cron', expression }, 'Asia/Shanghai', from, 3), expected, expression)
    const last = expected.at(-1)!
    assert.equal(latestSlot({ kind: 'cron', expression }, 'Asia/Shanghai', last + 59_999), last, expression)
  }
})
