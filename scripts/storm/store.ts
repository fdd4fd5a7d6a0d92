import { shimReason } from '../../test/faults/shim.ts'
import { storePrograms, sweepOf } from '../../test/faults/store-sweeps.ts'
import { allFaults } from '../../test/faults/sweep.ts'
import { type SweepSum, fullSweep } from './sweeps.ts'

/** R2-R4 of the store: every fault at every call of each small program. */
export async function sweepStore(only: string): Promise<boolean> {
  const reason = shimReason()
  if (reason !== undefined) return leftOut(reason)
  const sum: SweepSum = { runs: 0, bad: 0 }
  const chosen = storePrograms.filter(({ worker }) => worker.includes(only))
  for (const program of chosen) await fullSweep(await sweepOf(program, allFaults), sum)
  console.log(`R2-R4 ${sum.runs} runs over ${chosen.length} programs, ${sum.bad} bad`)
  return sum.bad === 0
}

export function leftOut(reason: string): boolean {
  console.log(`left out: ${reason}`)
  return true
}
