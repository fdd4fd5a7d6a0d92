import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScriptedReply } from '../../src/adapters/models/scripted.ts'
import type { AskModel } from '../../src/agent/model.ts'
import { runTurn, type TurnInput, type TurnOutcome } from '../../src/agent/turn.ts'
import { type Message, textOf } from '../../src/core/message.ts'
import { calling, chainOf, link, question, result, turnOf, type TurnRig } from './turn-rig.ts'

const one = link('a/one')

async function play(
  script: readonly ScriptedReply[] | AskModel,
  more: Partial<TurnInput> = {},
  links = [one],
): Promise<TurnRig & { outcome: TurnOutcome }> {
  const rig = turnOf(chainOf(links, script).chain, more)
  return { ...rig, outcome: await runTurn(rig.input) }
}

/** Each recorded message as role and text. */
function log(messages: readonly Message[]): string[] {
  return messages.map(message => `${message.role}: ${textOf(message)}`)
}

test('a text is the answer; usage and cost are summed', async () => {
  const { outcome, recorded } = await play([{ text: 'All quiet.', usage: { input: 1_000_000, output: 0 } }])
  assert.ok(outcome.kind === 'answered')
  assert.equal(outcome.text, 'All quiet.')
  assert.equal(outcome.silent, undefined)
  assert.equal(outcome.usage.cost?.total, 1)
  assert.equal(outcome.link?.ref, 'a/one')
  assert.deepEqual(log(recorded), ['assistant: All quiet.'])
})

test('an answer that came without its numbers has a cost that is not known', async () => {
  const call = { ...calling('read'), usage: { input: 1_000_000, output: 0 } }
  const { outcome } = await play([call, { text: 'All quiet.' }])
  assert.equal(outcome.usage.cost, undefined)
  assert.equal(outcome.usage.input, 1_000_000)
})

test('tools run in order, each result follows its call, and the model sees them', async () => {
  const { outcome, recorded, ran } = await play(
    [calling('read', 'write'), { text: 'Done.', when: { includes: 'write ran' } }],
    {
      runTool: async call => result(`${call.name} ran`),
    },
  )
  assert.equal(outcome.kind, 'answered')
  assert.deepEqual(
    ran.map(({ name }) => name),
    ['read', 'write'],
  )
  assert.deepEqual(log(recorded), [
    'assistant: ',
    'toolResult: read ran',
    'toolResult: write ran',
    'assistant: Done.',
  ])
  assert.deepEqual(outcome.messages, [question, ...recorded])
  assert.equal(outcome.rounds, 2)
})

test('the call is recorded before its tool runs', async () => {
  const recorded: string[] = []
  await play([calling('write'), { text: 'Done.' }], {
    record: async message => {
      await new Promise(resolve => setImmediate(resolve))
      recorded.push(message.role)
    },
    runTool: async () => {
      assert.deepEqual(recorded, ['assistant'])
      return result('fine')
    },
  })
})

test('silence is the whole reply only', async () => {
  for (const [text, silent] of [
    ['NO_REPLY', 'NO_REPLY'],
    ['HEARTBEAT_OK.', 'HEARTBEAT_OK'],
    ['NO_REPLY, but rain', undefined],
  ] as const) {
    const { outcome } = await play([{ text }])
    assert.ok(outcome.kind === 'answered')
    assert.equal(outcome.silent, silent)
  }
})

test('finish ends the turn with its value, and what was called after it does not run', async () => {
  const { outcome, ran, recorded } = await play([calling('finish', 'write')], {
    runTool: async () => result('accepted', { value: { items: 3 } }),
  })
  assert.ok(outcome.kind === 'answered')
  assert.deepEqual(outcome.finished, { value: { items: 3 } })
  assert.equal(ran.length, 1)
  assert.match(textOf(recorded[2] ?? question), /^Not run/)
})

test('a finish that was refused does not end the turn', async () => {
  const { outcome } = await play([calling('finish'), { text: 'In words then.' }], {
    runTool: async () => result('wrong shape', { isError: true }),
  })
  assert.ok(outcome.kind === 'answered')
  assert.equal(outcome.finished, undefined)
})

test('an empty reply gets one nudge, and only one', async () => {
  const empty: ScriptedReply = { refused: { why: 'empty' } }
  const mended = await play([empty, empty, { text: 'Here.', when: { includes: 'empty' } }])
  assert.equal(mended.outcome.kind, 'answered')
  assert.deepEqual(
    log(mended.recorded).map(line => line.split(':')[0]),
    ['user', 'assistant'],
  )
  const { outcome } = await play([empty, empty, empty, empty, { text: 'too late' }])
  assert.ok(outcome.kind === 'failed')
  assert.equal(outcome.why, 'empty')
})

test('a truncated reply is no answer: its text is kept aside and no call of it runs', async () => {
  const { outcome, ran, recorded } = await play([{ refused: { why: 'truncated', partial: 'Half of' } }])
  assert.ok(outcome.kind === 'failed')
  assert.equal(outcome.why, 'truncated')
  assert.equal(outcome.partial, 'Half of')
  assert.deepEqual([ran, recorded], [[], []])
})

test('a refusal stops the turn and is not asked of another model', async () => {
  const { outcome } = await play([{ refused: { why: 'refusal', detail: 'declined' } }, { text: 'yes' }], {}, [
    one,
    link('b/two'),
  ])
  assert.ok(outcome.kind === 'failed')
  assert.equal(outcome.why, 'refusal')
  assert.equal(outcome.detail, 'declined')
})

test('after a fallback the rest of the turn stays with the model that answered', async () => {
  const script: ScriptedReply[] = [
    { refused: { why: 'format' }, when: { ref: 'a/one' } },
    { ...calling('read'), when: { ref: 'b/two' } },
    { text: 'Done.', when: { ref: 'b/two' } },
  ]
  const { outcome } = await play(script, {}, [one, link('b/two')])
  assert.equal(outcome.kind, 'answered')
  assert.equal(outcome.attempts.length, 1)
  assert.equal(outcome.link?.ref, 'b/two')
})

test('the same call with the same result is warned of, then ends the turn', async () => {
  const { outcome, ran, recorded } = await play(Array(9).fill(calling('read')))
  assert.ok(outcome.kind === 'failed')
  assert.equal(outcome.why, 'loop')
  assert.equal(ran.length, 5)
  assert.match(log(recorded).join('\n'), /\[claw: read gave the same result to the same call 3 times/)
})

test('without a guard the same script would have gone on: new results are no loop, but rounds have a limit', async () => {
  let count = 0
  const { outcome, ran, recorded } = await play(Array(20).fill(calling('read')), {
    maxRounds: 7,
    runTool: async () => result(`${(count += 1)}`),
  })
  assert.ok(outcome.kind === 'failed')
  assert.equal(outcome.why, 'too-many-rounds')
  assert.equal(ran.length, 7)
  assert.match(log(recorded).join('\n'), /Answer now/)
  assert.equal(recorded.at(-1)?.role, 'toolResult', 'the last call has a result too')
})

function long(nth: number): string {
  return `HEAD${nth}${'x'.repeat(49_999)}TAIL`
}

test('large results are cut with a marker that says how much is missing, and kept whole elsewhere', async () => {
  let count = 0
  const { recorded, blobs } = await play([calling('read', 'read', 'read'), { text: 'Done.' }], {
    runTool: async () => result(long((count += 1))),
  })
  assert.ok(blobs.length === 3 && blobs.every((blob, index) => blob === long(index + 1)))
  const texts = recorded.filter(({ role }) => role === 'toolResult').map(textOf)
  for (const text of texts)
    assert.match(
      text,
      /^HEAD[^]*\[\.\.\. \d+ of 50008 characters are left out here; the full text is in blob \d[^]*TAIL$/,
    )
  assert.ok(texts.join('').length < 25_000, 'the sum has a limit of its own')
})

test('an overflow is compacted and asked again, twice at most', async () => {
  const overflow: ScriptedReply = { refused: { why: 'context-overflow' } }
  const shorter: Message[] = [{ role: 'user', content: 'short', timestamp: 1 }]
  const compact = async (): Promise<Message[]> => shorter
  const mended = await play([overflow, { text: 'Done.', when: { includes: 'short' } }], { compact })
  assert.equal(mended.outcome.kind, 'answered')
  for (const more of [{}, { compact }, { compact: async () => undefined }]) {
    const { outcome } = await play([overflow, overflow, overflow, { text: 'never' }], more)
    assert.ok(outcome.kind === 'failed')
    assert.equal(outcome.why, 'context-overflow')
  }
})

test('an abort while a model speaks keeps its words; one while a tool runs keeps the results', async () => {
  const stop = new AbortController()
  const speaking: AskModel = async () => {
    stop.abort()
    return { kind: 'refused', why: 'aborted', detail: 'aborted', partial: 'So far' }
  }
  const spoken = await play(speaking, { signal: stop.signal })
  assert.ok(spoken.outcome.kind === 'timed-out')
  assert.equal(spoken.outcome.partial, 'So far')
  const late = new AbortController()
  const { outcome, recorded, ran } = await play(
    [{ text: 'First.', ...calling('read', 'write') }, { text: 'never' }],
    {
      signal: late.signal,
      runTool: async () => {
        late.abort()
        return result('done')
      },
    },
  )
  assert.ok(outcome.kind === 'timed-out')
  assert.equal(outcome.partial, 'First.')
  assert.equal(ran.length, 1)
  assert.deepEqual(log(recorded).slice(1), [
    'toolResult: done',
    'toolResult: Not run: the time of the run was over.',
  ])
})

test('a transcript goes on with one more user message', async () => {
  const rig = turnOf(
    chainOf([one], [{ text: 'First.' }, { text: 'Mended.', when: { includes: 'links' } }]).chain,
  )
  const first = await runTurn(rig.input)
  const second = await runTurn({
    ...rig.input,
    messages: [...first.messages, { role: 'user', content: 'Add links.', timestamp: 2 }],
  })
  assert.ok(second.kind === 'answered')
  assert.equal(second.text, 'Mended.')
  assert.deepEqual(log(second.messages), [
    'user: What is new?',
    'assistant: First.',
    'user: Add links.',
    'assistant: Mended.',
  ])
})
