import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sweepErrors } from '../../src/sim/error-sweep.ts'
import { sampleOf, warmUp } from './command-rig.ts'
import { runSweep } from './run-sweep.ts'
import { assertToldClearly } from './told-clearly.ts'

before(warmUp)

for (const side of ['keyed', 'blind'] as const) {
  for (const flags of [[], ['--slot', 'auto']]) {
    const name = ['run ann job', ...flags].join(' ')
    test(`${name}, ${side}: a disk that refuses is told in one line, and the next run makes it good`, async context => {
      const sweep = runSweep({ side, flags })
      const { points, runs, of } = await sweepErrors({
        ...sweep,
        act: async world => assertToldClearly(await sweep.act(world)),
        reboots: ['process', 'power'],
        ...sampleOf(250),
      })
      context.diagnostic(`${points} points, ${runs} of ${of} simulated errors`)
      assert.ok(runs >= 250, `${points} points, ${runs} runs`)
    })
  }
}
