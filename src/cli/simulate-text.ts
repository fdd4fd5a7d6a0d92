import type { SimulateReport } from '../flows/simulate.ts'
import type { Out } from './out.ts'

/** What was simulated, what came of it, and what held. */
export function summaryText(out: Out, report: SimulateReport): string {
  const { days, seed, faults, hostZone, jobs, slots, deliveries, ticks, msPerDay, disk } = report
  const rows: [string, string][] = [
    ['days', `${days} from ${report.from}`],
    ['workspace', `${report.workspace}, ${jobs} jobs, the host's clock in ${hostZone}`],
    ['seed, faults', `${seed}, ${faults}`],
    ['fired', `${report.fires} lines of jobs, ${ticks.run} ticks (${ticks.passedOver} passed over)`],
    ['runs', counts(report.runs)],
    ['slots due', `${slots.due}: ${counts({ ...slots, due: 0 })}`],
    ['deliveries', counts(deliveries)],
    ['faults injected', counts(report.injected)],
    ['processes killed', String(report.killed)],
    [
      'files',
      `${disk.files}, ${megabytes(disk.bytes)}, most in one folder ${disk.mostInFolder} (${disk.fullestFolder})`,
    ],
    [
      'a day takes',
      `${ms(msPerDay.first)} in the first month, ${ms(msPerDay.last)} in the last (x ${msPerDay.ratio.toFixed(2)})`,
    ],
    ['in all', `${(report.tookMs / 1000).toFixed(1)} s`],
  ]
  const held = Object.entries(report.invariants).map(([name, count]): [string, string] => [
    name,
    count === 0 ? 'held' : out.style('red', `broken ${count} times`),
  ])
  return `${out.table(rows)}\n\n${out.table(held, ['invariant', 'each day'])}`
}

function counts(by: Readonly<Record<string, number>>): string {
  const named = Object.entries(by).filter(([, count]) => count > 0)
  return named.length === 0 ? 'none' : named.map(([name, count]) => `${count} ${name}`).join(', ')
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
