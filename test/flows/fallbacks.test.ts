import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { AskModel } from '../../src/agent/model.ts'
import type { FailureClass } from '../../src/core/failure.ts'
import { hourMs, minuteMs } from '../../src/core/millis.ts'
import { scriptedModel } from '../../src/adapters/models/scripted.ts'
import { type Rig, command, goodText, rig, warmUp } from './command-rig.ts'
import { runsOf } from './sound.ts'

before(warmUp)

/** The first model fails so while `isDown`; the second always answers. Keeps who was asked. */
function unsteady(why: FailureClass) {
  const asked: string[] = []
  const state = { isDown: true, asked }
  const ask: AskModel = request => {
    asked.push(request.link.ref)
    const isRefused = request.link.ref === 'first/one' && state.isDown
    const reply = isRefused ? { refused: { why, detail: `${why} says no` } } : { text: goodText }
    return scriptedModel([reply], made.world.clock)(request)
  }
  const made = rig({ ask })
  return { state, made }
}

const lastRun = (made: Rig) => runsOf(made).at(-1)!

test('a fallback is in the record with its reason, and the next run begins with the first model again', async () => {
  const { state, made } = unsteady('format')
  const { err, exitCode } = await command(made, 'run', 'ann', 'list')
  assert.equal(exitCode, 0)
  assert.match(err, /first\/one: format, format says no/)
  assert.equal(lastRun(made).model, 'second/two')
  assert.deepEqual(lastRun(made).fallbacks, [{ ref: 'first/one', why: 'format', detail: 'format says no' }])
  state.isDown = false
  made.world.clock.advance(minuteMs)
  await command(made, 'run', 'ann', 'list')
  assert.equal(lastRun(made).model, 'first/one')
  assert.deepEqual(lastRun(made).fallbacks, [])
})

test('within a run the model that failed is not asked again, also for the correction', async () => {
  const { state, made } = unsteady('format')
  const { ask } = made.ports
  const tooShort: AskModel = async request =>
    request.link.ref === 'second/two' && !request.messages.some(({ role }) => role === 'assistant')
      ? scriptedModel([{ text: 'Too short.' }], made.world.clock)(request)
      : ask(request)
  const { exitCode } = await command(
    { ...made, ports: { ...made.ports, ask: tooShort } },
    'run',
    'ann',
    'list',
  )
  assert.equal(exitCode, 0)
  const firsts = state.asked.filter(ref => ref === 'first/one').length
  assert.ok(firsts <= 2, `asked ${firsts} times`)
})

test('a model that rests is passed over by the next run, and asked again when its rest is over', async () => {
  const { state, made } = unsteady('billing')
  await command(made, 'run', 'ann', 'list')
  state.isDown = false
  state.asked.length = 0
  made.world.clock.advance(hourMs)
  await command(made, 'run', 'ann', 'list')
  assert.deepEqual(state.asked, ['second/two'], 'the model that rests was asked')
  assert.equal(lastRun(made).fallbacks[0]?.why, 'cooling')
  made.world.clock.advance(5 * hourMs)
  await command(made, 'run', 'ann', 'list')
  assert.equal(lastRun(made).model, 'first/one')
})

test('an answer ends a row of failures', async () => {
  const { state, made } = unsteady('timeout')
  await command(made, 'run', 'ann', 'list')
  made.world.clock.advance(10 * minuteMs)
  state.isDown = false
  await command(made, 'run', 'ann', 'list')
  assert.equal(made.world.disk.text('/ws/.claw/cooldowns.json')?.trim(), '{}')
})
