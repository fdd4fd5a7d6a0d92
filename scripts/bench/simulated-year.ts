// A simulated year: what it costs, whether a day of the last month costs more than one of the first, and what held.
//   node --import tsx scripts/bench/simulated-year.ts                      365 days without faults
//   node --import tsx scripts/bench/simulated-year.ts --days 7 --faults heavy --seeds 20
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { main } from './bench-workspace.ts'

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    from: { type: 'string', default: '2026-03-02' },
    faults: { type: 'string', default: 'none' },
    seeds: { type: 'string', default: '1' },
  },
})

interface Report {
  fires: number
  failureCount: number
  failures: { invariant: string; what: string; replay: string }[]
  injected: Record<string, number>
  msPerDay: { first: number; last: number; ratio: number }
  tookMs: number
  disk: { files: number; bytes: number }
}

const limits = { tookMs: 180_000, ratio: 1.2 }

for (let seed = 1; seed <= Number(values.seeds); seed++) {
  const { days, from, faults } = values
  const argv = ['simulate', '--from', from, '--days', days, '--faults', faults, '--seed', String(seed)]
  const run = spawnSync(process.execPath, [main, ...argv, '--host-zone', 'UTC', '--json', '--quiet'], {
    encoding: 'utf8',
    cwd: '/',
    maxBuffer: 64 * 1024 * 1024,
  })
  const report = JSON.parse(run.stdout) as Report
  tell(seed, report)
  if (report.failureCount > 0) process.exitCode = 1
  if (days === '365' && faults === 'none' && isTooSlow(report)) process.exitCode = 1
}

function isTooSlow({ tookMs, msPerDay }: Report): boolean {
  return tookMs > limits.tookMs || msPerDay.ratio > limits.ratio
}

function tell(seed: number, report: Report): void {
  const { tookMs, msPerDay, disk, fires, failureCount, failures, injected } = report
  const struck = Object.values(injected).reduce((sum, count) => sum + count, 0)
  console.log(
    [
      `seed ${seed}: ${failureCount} broken`,
      `${struck} faults`,
      `${(tookMs / 1000).toFixed(1)} s (a year at most ${limits.tookMs / 1000})`,
      `${fires} fires`,
      `a day ${msPerDay.first.toFixed(0)} -> ${msPerDay.last.toFixed(0)} ms, x ${msPerDay.ratio.toFixed(2)} (at most ${limits.ratio})`,
      `${disk.files} files, ${(disk.bytes / 1024 / 1024).toFixed(0)} MB`,
    ].join(', '),
  )
  for (const { invariant, what, replay } of failures.slice(0, 5))
    console.log(`  ${invariant}: ${what}\n    ${replay}`)
}
