import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'
import { sampleOf, warmUp } from './command-rig.ts'
import { runSweep } from './run-sweep.ts'

before(warmUp)

for (const side of ['keyed', 'blind'] as const) {
  for (const flags of [[], ['--slot', 'auto']]) {
    const name = ['run ann job', ...flags].join(' ')
    test(`${name}, ${side}: a crash at any disk call loses nothing and sends nothing twice`, async context => {
      const { points, runs, of } = await sweepCrashes({ ...runSweep({ side, flags }), ...sampleOf(300) })
      context.diagnostic(`${points} points, ${runs} of ${of} simulated crashes`)
      // Four tests of 300: 1,200 in all, half of them by hand, half of them blind.
      assert.ok(points >= 80 && runs >= 300, `${points} points, ${runs} runs`)
    })
  }
}
