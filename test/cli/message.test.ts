import assert from 'node:assert/strict'
import test from 'node:test'
import { withModel } from './model-rig.ts'
import { claw, type Said } from './rig.ts'

const env = { MOCK_KEY: 'sk-not-a-real-key-000000' }

/** What the model was asked last, for one way of saying it. */
const ways: readonly [string, readonly string[], string | undefined, string][] = [
  ['given with -m', ['-m', 'What happened today?'], undefined, 'What happened today?'],
  ['that begins with a dash', ['-m', '- buy milk'], undefined, '- buy milk'],
  ['that looks like an option', ['--message=--json'], undefined, '--json'],
  ['from stdin', ['-m', '-'], 'line one\nline two 中文\n', 'line one\nline two 中文'],
]

for (const [name, argv, input, expected] of ways) {
  test(`a message ${name} reaches the model as it is`, async t => {
    const { root, model } = await withModel(t, () => ({ text: 'Noted.' }))
    const answer = await claw(['run', 'zoe', ...argv], { cwd: root, env, ...(input && { input }) })
    assert.equal(answer.code, 0, answer.err)
    assert.equal(answer.out, 'Noted.\n')
    const messages = model.requests[0]!.body['messages'] as { role: string; content: string }[]
    assert.equal(messages.at(-1)!.content, expected)
  })
}

test('stdin that says nothing is an empty message', async t => {
  const { root, model } = await withModel(t, () => ({ text: 'Noted.' }))
  const answer = await claw(['run', 'zoe', '-m', '-'], { cwd: root, env, input: '' })
  assert.equal(answer.code, 2)
  assert.match(answer.err, /the message is empty/)
  assert.equal(model.requests.length, 0)
})

test('a second message goes on with the same session', async t => {
  const { root, model } = await withModel(t, () => ({ text: 'Noted.' }))
  const said: Said[] = []
  for (const text of ['one', 'two']) said.push(await claw(['run', 'zoe', '-m', text], { cwd: root, env }))
  assert.deepEqual(
    said.map(({ code }) => code),
    [0, 0],
  )
  const messages = model.requests[1]!.body['messages'] as { role: string; content: unknown }[]
  assert.deepEqual(
    messages.slice(1).map(({ role }) => role),
    ['user', 'assistant', 'user'],
  )
})

test('without any model a message fails and says what to configure', async t => {
  const { root } = await withModel(t, () => ({ text: 'Noted.' }))
  const answer = await claw(['run', 'zoe', '-m', 'hi', '--model', 'offline/extractive'], { cwd: root, env })
  assert.equal(answer.code, 1)
  assert.match(answer.err, /^claw: failed: no model/m)
  assert.equal(answer.out, '')
})
