import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { workerPath } from './bundle.ts'
import { startClaw } from './claw.ts'
import { commandCases } from './command-cases.ts'
import { commandSweep } from './command-sweeps.ts'
import { skipWithoutShim } from './shim.ts'
import { allFaults, runSweep, sampleFaults } from './sweep.ts'

const skip = skipWithoutShim()

/** Of each command; `npm run storm -- --commands` takes all. */
const faultsPerCommand = 8

const claw = await startClaw()
after(() => claw.close())
let runs = 0

for (const one of commandCases) {
  test(
    `${one.name}: whatever the disk does, nothing is lost and the next run just works`,
    { skip },
    async () => {
      const result = await runSweep(
        commandSweep(claw, one, { faults: calls => sampleFaults(allFaults(calls), faultsPerCommand) }),
      )
      assert.deepEqual(result.bad, [])
      runs += result.runs
    },
  )
}

test('the sweep ran over each command', { skip }, () => {
  assert.equal(runs, faultsPerCommand * commandCases.length)
  console.log(`# R2-R4 ${runs} runs over ${commandCases.length} commands, 0 damaged`)
})

test('the same sweep catches a command that writes its files in place', { skip }, async () => {
  const worker = await workerPath('naive-init')
  const program = (dir: string) => ({ argv: [worker, join(dir, '..', 'template'), dir], dir })
  const faults = {
    faults: () => [
      { at: 6, act: 'TORN' as const },
      { at: 9, act: 'TORN' as const },
      { at: 12, act: 'ENOSPC' as const },
    ],
    program,
  }
  const result = await runSweep(commandSweep(claw, commandCases[0]!, faults))
  assert.ok(result.bad.length > 0, 'nothing was found')
})
