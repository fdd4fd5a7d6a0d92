import { startClaw } from '../../test/faults/claw.ts'
import { commandCases } from '../../test/faults/command-cases.ts'
import { commandSweep } from '../../test/faults/command-sweeps.ts'
import { shimReason } from '../../test/faults/shim.ts'
import { allFaults } from '../../test/faults/sweep.ts'
import { leftOut } from './store.ts'
import { type SweepSum, fullSweep } from './sweeps.ts'

/** R2-R4 of the built command: every fault at every call of each writing command. */
export async function sweepCommands(only: string): Promise<boolean> {
  const reason = shimReason()
  if (reason !== undefined) return leftOut(reason)
  const sum: SweepSum = { runs: 0, bad: 0 }
  const chosen = commandCases.filter(({ name }) => name.includes(only))
  const claw = await startClaw()
  try {
    for (const one of chosen)
      await fullSweep(commandSweep(claw, one, { faults: allFaults, asksDoctor: 'always' }), sum)
  } finally {
    claw.close()
  }
  console.log(`R2-R4 ${sum.runs} runs over ${chosen.length} commands, ${sum.bad} bad`)
  return sum.bad === 0
}
