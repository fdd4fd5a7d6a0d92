import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sweepErrors } from '../../src/sim/error-sweep.ts'
import { assertToldClearly } from './told-clearly.ts'
import { commandCases, sweepOf } from './command-cases.ts'
import { sampleOf, warmUp } from './command-rig.ts'

before(warmUp)

for (const one of await commandCases()) {
  test(`${one.name}: a disk that refuses is told in one line, and the same again makes it good`, async context => {
    const sweep = sweepOf(one)
    const { points, runs, of } = await sweepErrors({
      ...sweep,
      act: async world => assertToldClearly(await sweep.act(world)),
      reboots: ['process', 'power'],
      ...sampleOf(100),
    })
    context.diagnostic(`${points} points, ${runs} of ${of} simulated errors`)
    assert.ok(points >= one.minPoints, `${points} points, ${runs} runs`)
  })
}
