import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClean, killStorm } from './kill-storm.ts'

test('500 random kills of four writers lose, double and tear nothing', async () => {
  const result = await killStorm({ kills: 500, kind: 'store' })
  const { kills, acks, lost, doubled, torn, complaints } = result
  assert.deepEqual({ lost, doubled, torn, complaints }, { lost: 0, doubled: 0, torn: 0, complaints: [] })
  assert.ok(acks >= kills / 2, `a storm in which nobody gets to write proves nothing: ${acks} records`)
  console.log(`# R1 ${kills} kills, ${acks} acknowledged, ${lost} lost, ${doubled} doubled, ${torn} torn`)
})

for (const [kind, what] of [
  ['naive', 'a store that writes in place'],
  ['no-lock', 'writers without a common lock'],
] as const) {
  test(`the same storm catches ${what}`, async () => {
    for (let seed = 1; seed <= 20; seed++) if (!isClean(await killStorm({ kills: 10, kind, seed }))) return
    assert.fail('200 kills, and nothing was found')
  })
}
