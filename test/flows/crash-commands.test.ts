import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'
import { commandCases, sweepOf } from './command-cases.ts'
import { sampleOf, warmUp } from './command-rig.ts'

before(warmUp)

for (const one of await commandCases()) {
  test(`${one.name}: a crash at any disk call, then the same again`, async context => {
    const { points, runs, of } = await sweepCrashes({ ...sweepOf(one), ...sampleOf(100) })
    context.diagnostic(`${points} points, ${runs} of ${of} simulated crashes`)
    assert.ok(points >= one.minPoints, `${points} points, ${runs} runs`)
  })
}
