import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipWithoutShim } from './shim.ts'
import { naiveProgram, storePrograms, sweepOf } from './store-sweeps.ts'
import { allFaults, runSweep, sampleFaults } from './sweep.ts'

const skip = skipWithoutShim()

/** Of each program; `npm run storm -- --store` takes all. */
const faultsPerProgram = 30

let runs = 0
const ends = new Map<string, number>()

for (const program of storePrograms) {
  const start = program.start ? 'with more before it' : `after ${program.old.length} others`
  test(`${program.worker}, ${start}, leaves old or new under every kind of fault`, { skip }, async () => {
    const sweep = await sweepOf(program, calls => sampleFaults(allFaults(calls), faultsPerProgram))
    const result = await runSweep(sweep)
    assert.deepEqual(result.bad, [])
    assert.ok(result.runs >= faultsPerProgram, `only ${result.runs} runs`)
    runs += result.runs
    for (const [end, count] of result.ends) ends.set(end, (ends.get(end) ?? 0) + count)
  })
}

test('the sweep saw each way to end, and the exit code never lied', { skip }, () => {
  for (const end of ['0', '74', '75', 'killed'])
    assert.ok((ends.get(end) ?? 0) > 0, `no run ended with ${end}`)
  console.log(`# R2-R4 ${runs} runs over ${storePrograms.length} programs, 0 damaged, 0 wrong exit codes`)
})

test('the same sweep catches the store that everybody writes first', { skip }, async () => {
  const result = await runSweep(await sweepOf(naiveProgram, allFaults), { maxBad: 4 })
  assert.ok(result.bad.length >= 3, result.bad.join('\n'))
})
