import { type Sweep, type SweepResult, runSweep } from '../../test/faults/sweep.ts'
import { progressOf } from './progress.ts'

export interface SweepSum {
  runs: number
  bad: number
}

/** Runs one sweep to its end and prints what went wrong. */
export async function fullSweep(sweep: Sweep, sum: SweepSum): Promise<void> {
  let total = 0
  const counted: Sweep = {
    ...sweep,
    faults(calls) {
      const faults = sweep.faults(calls)
      total = faults.length
      return faults
    },
  }
  const show = progressOf(sweep.name, () => total)
  let done = 0
  const result = await runSweep(counted, { maxBad: 1000, onRun: () => show(++done) })
  for (const bad of result.bad) console.log(`  ${bad}`)
  console.log(
    `${sweep.name}: ${result.calls} calls, ${result.runs} runs, ${result.bad.length} bad (${endsOf(result)})`,
  )
  sum.runs += result.runs
  sum.bad += result.bad.length
}

function endsOf({ ends }: SweepResult): string {
  return [...ends]
    .map(([end, count]) => `${count} ended ${end === 'killed' ? end : `with ${end}`}`)
    .join(', ')
}
