import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toolGate, type CallEntry, type ToolGateOptions } from '../../../src/agent/gate.ts'
import { expandToolNames } from '../../../src/agent/registry.ts'
import type { Tool } from '../../../src/agent/tool.ts'
import { editTool } from '../../../src/agent/tools/edit.ts'
import { finishTool } from '../../../src/agent/tools/finish.ts'
import { memorySearchTool } from '../../../src/agent/tools/memory-search.ts'
import { readTool } from '../../../src/agent/tools/read.ts'
import { sharedReadTool } from '../../../src/agent/tools/shared-read.ts'
import { sharedWriteTool } from '../../../src/agent/tools/shared-write.ts'
import { writeTool } from '../../../src/agent/tools/write.ts'
import { ClawError } from '../../../src/core/claw-error.ts'
import { masker } from '../../../src/core/mask.ts'
import type { ToolCall } from '../../../src/core/message.ts'
import { workspaceFiles } from '../../../src/store/workspace-files.ts'
import { simWorld } from '../../../src/sim/sim-world.ts'

const secret = 'very-secret-value'
const signal = new AbortController().signal

function gateOf(more: Partial<ToolGateOptions> = {}, extra: Tool[] = []) {
  const world = simWorld({
    files: { 'agents/writer/notes.md': `one\ntwo ${secret}\nthree\n`, 'agents/writer/SOUL.md': 'soul' },
  })
  const files = workspaceFiles({ world, root: '/ws', agent: 'writer', recordWrite: () => undefined })
  const tools = [
    readTool(files),
    writeTool(files),
    editTool(files),
    sharedReadTool(files),
    sharedWriteTool(files),
    memorySearchTool({ listMemory: () => [] }),
    finishTool(),
    ...extra,
  ]
  return { world, gate: toolGate({ tools, policy: {}, mask: masker([secret]), ...more }) }
}

function call(name: string, args: Record<string, unknown> = {}): ToolCall {
  return { type: 'toolCall', id: 'c', name, arguments: args }
}

test('groups of a job open their tools, and finish is always there', () => {
  const names = (policy: ToolGateOptions['policy']): string[] =>
    gateOf({ policy })
      .gate.specs.map(({ name }) => name)
      .sort()
  assert.deepEqual(names({ allow: ['memory'] }), ['finish', 'memory_search'])
  assert.deepEqual(names({ allow: ['files', 'shared_read'] }), [
    'edit',
    'finish',
    'read',
    'shared_read',
    'write',
  ])
  assert.deepEqual(names({ allow: [] }), ['finish'])
  assert.equal(names({}).length, 7)
  assert.deepEqual(expandToolNames(['memry'], []).unknown, [{ name: 'memry', suggestion: 'memory' }])
})

test('an unknown tool, an unknown parameter and a wrong value each say what is right', async () => {
  const { gate } = gateOf()
  const texts: [ToolCall, RegExp][] = [
    [call('raed', { path: 'notes.md' }), /no tool raed; did you mean read\?/],
    [call('read', { pth: 'notes.md' }), /pth is no parameter; did you mean path\?.*path is missing/],
    [call('read', { path: 'notes.md', limit: 'x' }), /limit must be a number/],
    [call('read', { path: 'notes.md', constructor: 1 }), /constructor is no parameter/],
    [call('read', { path: '' }), /path must have at least 1/],
    [call('toString'), /no tool toString/],
  ]
  for (const [one, expected] of texts) {
    const result = await gate.run(one, signal)
    assert.ok(result.isError)
    assert.match(result.text, expected)
  }
  assert.ok(gate.calls.every(({ denied }) => !denied))
})

test('what the policy refuses is counted as denied, a mistake is not', async () => {
  const entries: CallEntry[] = []
  const { gate } = gateOf({ policy: { allow: ['files'] }, onCall: entry => entries.push(entry) })
  await gate.run(call('read', { path: 'notes.md' }), signal)
  await gate.run(call('read', { path: 'absent.md' }), signal)
  await gate.run(call('write', { path: 'SOUL.md', content: 'x' }), signal)
  await gate.run(call('memory_search', { query: 'x' }), signal)
  assert.deepEqual(
    entries.map(({ ok, denied }) => [ok, denied]),
    [
      [true, false],
      [false, false],
      [false, true],
      [false, true],
    ],
  )
  assert.deepEqual(gate.calls, entries)
})

test('secrets leave neither text nor details nor value, and every result says where it comes from', async () => {
  const leaky: Tool = {
    name: 'leaky',
    description: '',
    parameters: { type: 'object' },
    hasEffect: false,
    run: async () => ({
      text: secret,
      isError: false,
      provenance: 'web',
      details: { deep: [{ x: secret }] },
      value: { y: secret },
    }),
  }
  const { gate } = gateOf({}, [leaky])
  const result = await gate.run(call('leaky'), signal)
  assert.ok(!JSON.stringify(result).includes(secret))
  assert.equal(result.provenance, 'web')
  const read = await gate.run(call('read', { path: 'notes.md' }), signal)
  assert.equal(read.text, 'one\ntwo [masked:secret]\nthree\n')
  assert.equal(read.provenance, 'workspace')
})

test('a gate without a mask, the broken twin, hands the secret on', async () => {
  const { gate } = gateOf({ mask: text => text })
  assert.ok((await gate.run(call('read', { path: 'notes.md' }), signal)).text.includes(secret))
})

test('a problem that a person can act on is a result; a full disk and a bug are not', async () => {
  const throwing = (name: string, error: Error): Tool => ({
    name,
    description: '',
    parameters: { type: 'object' },
    hasEffect: true,
    run: async () => {
      throw error
    },
  })
  const { gate } = gateOf({}, [
    throwing('a', new ClawError('network', 'no network')),
    throwing('b', new ClawError('not-recorded', 'disk full')),
    throwing('c', new TypeError('bug')),
  ])
  assert.equal((await gate.run(call('a'), signal)).text, 'no network')
  await assert.rejects(gate.run(call('b'), signal), /disk full/)
  await assert.rejects(gate.run(call('c'), signal), /bug/)
})

test('nothing runs after the time of the run is over', async () => {
  const { world, gate } = gateOf()
  const result = await gate.run(call('write', { path: 'late.md', content: 'x' }), AbortSignal.abort())
  assert.ok(result.isError)
  assert.equal(world.disk.read('/ws/agents/writer/late.md'), undefined)
})

test('read shows lines and says when it shows a part, finish hands its value on', async () => {
  const { gate } = gateOf()
  const part = await gate.run(call('read', { path: 'notes.md', offset: 1, limit: 1 }), signal)
  assert.equal(part.text, 'one\n[lines 1 to 1 of 4 of agents/writer/notes.md; go on with offset 2]')
  assert.match((await gate.run(call('read', { path: 'notes.md', offset: 99 }), signal)).text, /has 4 lines/)
  assert.deepEqual((await gate.run(call('finish', { text: 'done' }), signal)).value, { text: 'done' })
})
