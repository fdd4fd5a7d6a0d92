import assert from 'node:assert/strict'
import test from 'node:test'
import { nextSlots, slotsBetween } from '../../src/core/cron.ts'
import { everyExpression, hostLines } from '../../src/core/host-lines.ts'
import type { Schedule } from '../../src/core/job.ts'
import { dayMs, hourMs, type Millis, minuteMs } from '../../src/core/millis.ts'
import { dice, randomExpression } from './cron-rig.ts'

const year = 2026
const rounds = process.env['SWEEP'] === 'all' ? 2000 : 40
const [from, until] = [Date.UTC(year, 0, 1), Date.UTC(year + 1, 0, 1)]

test('where both clocks agree all year a line is the expression, in a form that cron can read', () => {
  const table: [string, string, string, string][] = [
    ['30 8 * * 1-5', 'Asia/Shanghai', 'Asia/Shanghai', '30 8 * * 1-5'],
    ['30 2 * * *', 'Europe/Berlin', 'Europe/Paris', '30 2 * * *'],
    ['*/15 9-17 * * *', 'Asia/Shanghai', 'Asia/Singapore', '*/15 9-17 * * *'],
    ['0 22-2 * JAN,MAR FRI-MON', 'UTC', 'UTC', '0 0-2,22,23 * 1,3 0,1,5,6'],
    ['@daily', 'UTC', 'Etc/UTC', '0 0 * * *'],
    ['50-10/5 * * * *', 'UTC', 'UTC', '0,5,10,50,55 * * * *'],
  ]
  for (const [expression, jobZone, hostZone, line] of table) {
    assert.deepEqual(hostLines(expression, jobZone, hostZone, { year }), [line])
  }
})

test('in another zone minutes, hours and days are shifted, once for each difference of the year', () => {
  const table: [string, string, string, string[]][] = [
    ['30 8 * * *', 'Asia/Shanghai', 'UTC', ['30 0 * * *']],
    ['30 8 * * *', 'America/New_York', 'Asia/Shanghai', ['30 20,21 * * *']],
    ['0 20 * * 1-5', 'America/New_York', 'Asia/Shanghai', ['0 8,9 * * 2-6']],
    ['*/10 * * * *', 'Asia/Kathmandu', 'UTC', ['5-55/10 * * * *']],
    ['0 8 1 * *', 'Asia/Shanghai', 'America/New_York', ['0 19,20 28-31 * *']],
    ['0 3 * 3 *', 'Asia/Shanghai', 'UTC', ['0 19 28,29 2 *', '0 19 1-30 3 *']],
    ['0 4 13 * 5', 'Asia/Shanghai', 'UTC', ['0 20 12 * *', '0 20 * * 4']],
  ]
  for (const [expression, jobZone, hostZone, lines] of table) {
    assert.deepEqual(hostLines(expression, jobZone, hostZone, { year }), lines, expression)
  }
})

test('a slot that a change of clocks hides from cron has a line for its date', () => {
  assert.deepEqual(hostLines('30 2 * * *', 'America/New_York', 'Asia/Shanghai', { year }), [
    '30 14,15 * * *',
    '0 * 8 3 *',
  ])
  assert.deepEqual(hostLines('30 14 * * *', 'Asia/Shanghai', 'America/New_York', { year }), [
    '30 1,2 * * *',
    '30 * 1 11 *',
  ])
})

const zones = [
  'UTC',
  'Asia/Shanghai',
  'America/New_York',
  'Europe/Berlin',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/St_Johns',
  'Africa/Casablanca',
]

interface Case {
  expression: string
  jobZone: string
  hostZone: string
}

/** Some slots of the year, and all of them near changes of clocks. */
function sampled({ expression, jobZone }: Case): Millis[] {
  const schedule: Schedule = { kind: 'cron', expression }
  const around = Array.from({ length: 52 }, (_, week) => from + week * 7 * dayMs)
  const spring = [
    '2026-03-08',
    '2026-03-29',
    '2026-04-05',
    '2026-10-04',
    '2026-10-25',
    '2026-11-01',
    '2026-02-15',
  ]
  return [
    ...around.flatMap(at => nextSlots(schedule, jobZone, at, 3)),
    ...spring.flatMap(date =>
      slotsBetween(schedule, jobZone, Date.parse(date) - dayMs, Date.parse(date) + 2 * dayMs, 300),
    ),
  ].filter(slot => slot >= from && slot < until)
}

/** Slots at which no line fires, under cron's own rule for the clock of the host. */
function unwoken(one: Case, lines: readonly string[]): Millis[] {
  const wakes = (slot: Millis): boolean =>
    lines.some(
      line => nextSlots({ kind: 'cron', expression: line }, one.hostZone, slot - minuteMs, 1)[0] === slot,
    )
  return sampled(one).filter(slot => !wakes(slot))
}

function randomCase({ pick, below }: ReturnType<typeof dice>): Case {
  return {
    expression: randomExpression({ pick, below }),
    jobZone: pick(zones),
    hostZone: pick(zones),
  }
}

test('no slot of a random expression in a random pair of zones is slept through', () => {
  const random = dice(3)
  let lineCount = 0
  for (let round = 0; round < rounds; round++) {
    const one = randomCase(random)
    const lines = hostLines(one.expression, one.jobZone, one.hostZone, { year })
    assert.deepEqual(
      unwoken(one, lines).map(at => new Date(at).toISOString()),
      [],
      JSON.stringify({ one, lines }),
    )
    lineCount += lines.length
  }
  console.log(`# ${rounds} expressions have ${lineCount} lines`)
})

test('the expression itself, put on a host in another zone, is caught sleeping', () => {
  const one = { expression: '30 8 * * *', jobZone: 'Asia/Shanghai', hostZone: 'America/New_York' }
  assert.ok(unwoken(one, [one.expression]).length > 50)
  const noDates = hostLines('30 14 * * *', 'Asia/Shanghai', 'America/New_York', { year }).slice(0, 1)
  assert.equal(unwoken({ ...one, expression: '30 14 * * *' }, noDates).length, 1)
})

test('extra wake-ups are few: at most one more a day for a daily job', () => {
  const lines = hostLines('30 8 * * *', 'America/New_York', 'Asia/Shanghai', { year })
  const wakes = lines.flatMap(expression =>
    slotsBetween({ kind: 'cron', expression }, 'Asia/Shanghai', from, until),
  )
  assert.ok(wakes.length <= 2 * 365, `${wakes.length} in a year`)
})

test('a period that divides the hour or the day has a line, any other is left to tick', () => {
  assert.deepEqual(everyExpression(30 * minuteMs), '*/30 * * * *')
  assert.deepEqual(hostLines('*/30 * * * *', 'UTC', 'Asia/Kathmandu', { year }), ['15,45 * * * *'])
  assert.deepEqual(everyExpression(4 * hourMs), '0 */4 * * *')
  assert.deepEqual(everyExpression(dayMs), '0 0 * * *')
  for (const other of [45 * minuteMs, 7 * minuteMs, 5 * hourMs, 2 * dayMs, 1_000]) {
    assert.deepEqual(everyExpression(other), undefined, String(other))
  }
})
