// How many next (and latest) slots one core computes in a second, over all zones and the kinds of expression of a team.
//   node --import tsx scripts/bench/next-slots.ts
import { latestSlot, nextSlots } from '../../src/core/cron.ts'
import type { Schedule } from '../../src/core/job.ts'
import { dayMs, type Millis } from '../../src/core/millis.ts'

const leastPerSecond = 5_000
const expressions = [
  '30 8 * * *',
  '0 9 * * 1-5',
  '*/30 9-15 * * 1-5',
  '*/5 * * * *',
  '30 2 * * 0',
  '0 0 1 * *',
  '15,45 22-2 * * FRI-MON',
  '0 0 29 2 *',
]
const zones = Intl.supportedValuesOf('timeZone')
const from = Date.UTC(2026, 0, 1)

function perSecond(compute: (schedule: Schedule, zone: string, at: Millis) => unknown): number {
  let count = 0
  const started = process.cpuUsage()
  for (const zone of zones) {
    for (const [index, expression] of expressions.entries()) {
      for (let step = 0; step < 12; step++) {
        compute({ kind: 'cron', expression }, zone, from + (step * 30 + index) * dayMs + step * 3_600_000)
        count++
      }
    }
  }
  const { user, system } = process.cpuUsage(started)
  return count / ((user + system) / 1e6)
}

const rows: [string, number][] = [
  ['next, each zone for the first time', perSecond((...given) => nextSlots(...given, 1))],
  ['next, zones known', perSecond((...given) => nextSlots(...given, 1))],
  ['latest, zones known', perSecond(latestSlot)],
]
console.log(`${process.version}, ${zones.length} zones, ${expressions.length} expressions, one core`)
for (const [name, rate] of rows) {
  const verdict = rate >= leastPerSecond ? 'ok  ' : 'MISS'
  console.log(`${verdict} ${name.padEnd(36)} ${Math.round(rate)} a second (at least ${leastPerSecond})`)
  if (rate < leastPerSecond) process.exitCode = 1
}
