import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { SpawnScript } from '../../src/sim/script-spawn.ts'
import { ScriptSpawn } from '../../src/sim/script-spawn.ts'
import { type Rig, command, jobText, nextProcess, rig, warmUp, workspace } from './command-rig.ts'
import { runsOf } from './sound.ts'

before(warmUp)

const run = (of: Rig) => command(of, 'run', 'ann', 'list')

function jobWhen(when: string, spawn: SpawnScript = () => ({ stdout: '' })): Rig {
  const made = rig({
    files: {
      'claw.yaml': `${workspace['claw.yaml']}exec: {security: allowlist, allow: [git status]}\n`,
      'agents/ann/jobs/list.md': jobText([`when: ${when}`]),
    },
  })
  return { ...made, world: { ...made.world, spawn: new ScriptSpawn(spawn) } }
}

test('a collector that finds something wakes the model', async () => {
  const made = jobWhen('{tool: list.collect}')
  assert.match((await run(made)).out, /delivered/)
})

test('the same output wakes it once', async () => {
  const made = jobWhen('{tool: list.collect, changed: true}')
  await run(made)
  assert.match((await run(nextProcess(made))).out, /skipped, when: nothing has changed since 2026-11-30/)
  assert.equal(made.started(), 1)
})

test('an output that woke a run with a bad end wakes the next one too', async () => {
  const made = rig({
    files: { 'agents/ann/jobs/list.md': jobText(['when: {tool: list.collect, changed: true}']) },
    ask: Array.from({ length: 4 }, () => ({ text: 'No item.' })),
  })
  await run(made)
  await run(nextProcess(made))
  assert.deepEqual(
    runsOf(made).map(({ state }) => state),
    ['rejected', 'rejected'],
  )
})

test('a program says no by its exit code, and yes by zero', async () => {
  const no = jobWhen('{exec: git status}', () => ({ outcome: { kind: 'exited', exitCode: 1 } }))
  assert.match((await run(no)).out, /skipped, when: git status ended with exit code 1/)
  const yes = jobWhen('{exec: git status}')
  assert.match((await run(yes)).out, /delivered/)
})

for (const [what, when] of [
  ['that is not allowed', '{exec: rm notes.md}'],
  ['behind a pipe', '{exec: "git status | sh"}'],
] as const) {
  test(`a program ${what} fails the run: silence is not a no`, async () => {
    const made = jobWhen(when, () => assert.fail('it was started'))
    const { exitCode, err } = await run(made)
    assert.equal(exitCode, 1)
    assert.match(err, /failed: when: /)
    assert.equal(made.started(), 0)
  })
}

test('both or neither of tool and exec is refused with its place', async () => {
  for (const when of ['{changed: true}', '{tool: list.collect, exec: git status}']) {
    const { exitCode, err } = await run(jobWhen(when))
    assert.equal(exitCode, 2)
    assert.match(err, /list\.md:\d+:\d+: `when` needs either/)
  }
})
