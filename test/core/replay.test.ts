import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type AssistantMessage,
  type Message,
  noUsage,
  textOf,
  type ToolCall,
  toolCallsOf,
  type ToolResultMessage,
} from '../../src/core/message.ts'
import { replayable } from '../../src/core/replay.ts'

const user = (content: string): Message => ({ role: 'user', content, timestamp: 1 })

function call(id: string, name = 'read', args: Record<string, unknown> = {}): ToolCall {
  return { type: 'toolCall', id, name, arguments: args }
}

function assistant(
  content: AssistantMessage['content'],
  more: Partial<AssistantMessage> = {},
): AssistantMessage {
  return {
    role: 'assistant',
    content,
    api: 'a',
    provider: 'p',
    model: 'm',
    usage: noUsage,
    stopReason: 'stop',
    timestamp: 2,
    ...more,
  }
}

function result(id: string, text: string): ToolResultMessage {
  return {
    role: 'toolResult',
    toolCallId: id,
    toolName: 'read',
    content: [{ type: 'text', text }],
    isError: false,
    timestamp: 3,
  }
}

/** One letter a message: u, a (text), c (calls), r (result), E (error result). */
function shape(messages: readonly Message[]): string {
  return replayable(messages)
    .map(message => {
      if (message.role === 'user') return 'u'
      if (message.role === 'toolResult') return message.isError ? 'E' : 'r'
      return toolCallsOf(message).length > 0 ? 'c' : 'a'
    })
    .join('')
}

test('a whole transcript is replayed as it is', () => {
  const messages = [
    user('q'),
    assistant([call('1'), call('2')]),
    result('1', 'x'),
    result('2', 'y'),
    assistant([{ type: 'text', text: 'done' }]),
  ]
  assert.deepEqual(replayable(messages), messages)
})

test('results are paired, made up where missing, and dropped where orphaned', () => {
  assert.equal(shape([user('q'), assistant([call('1'), call('2')]), result('2', 'y')]), 'ucEr')
  assert.equal(shape([user('q'), result('9', 'orphan'), assistant([{ type: 'text', text: 'a' }])]), 'ua')
  assert.equal(shape([user('q'), assistant([call('1')]), user('?'), result('1', 'late')]), 'ucru')
  assert.equal(shape([user('q'), assistant([call('1')]), result('1', 'x'), result('1', 'twice')]), 'ucr')
})

test('an id that comes again in a later turn keeps its own result and becomes unique', () => {
  const shown = replayable([
    user('q'),
    assistant([call('1')]),
    result('1', 'first'),
    assistant([call('1')]),
    result('1', 'second'),
  ])
  assert.deepEqual(shown.map(textOf), ['q', '', 'first', '', 'second'])
  const ids = shown.flatMap(message => (message.role === 'toolResult' ? [message.toolCallId] : []))
  assert.equal(new Set(ids).size, 2)
})

test('ids are made of characters that every provider takes', () => {
  const shown = replayable([user('q'), assistant([call('fc:weird/id|1'), call(''), call('x'.repeat(90))])])
  for (const message of shown) {
    if (message.role === 'toolResult') assert.match(message.toolCallId, /^[A-Za-z0-9_-]{1,40}$/)
  }
})

test('what was cut is not replayed: thinking alone, calls without arguments, calls of a broken reply', () => {
  const table: [AssistantMessage, string][] = [
    [assistant([{ type: 'thinking', thinking: 'hm' }]), ''],
    [assistant([]), ''],
    [assistant([{ type: 'text', text: ' ' }]), ''],
    [assistant([{ ...call('1'), arguments: JSON.parse('null') }]), ''],
    [assistant([{ type: 'text', text: 'part' }, call('1')], { stopReason: 'length' }), 'a'],
    [assistant([call('1')], { stopReason: 'aborted' }), ''],
    [assistant([{ type: 'thinking', thinking: 'hm' }, call('1')]), 'cE'],
  ]
  for (const [message, expected] of table)
    assert.equal(shape([message]), expected, JSON.stringify(message.content))
})

/** Throws unless each call has exactly one result, right behind its message, and all ids differ. */
function checkPairs(messages: readonly Message[]): void {
  const open: string[] = []
  const seen = new Set<string>()
  for (const shown of messages) {
    if (shown.role === 'toolResult') assert.equal(shown.toolCallId, open.shift())
    else {
      assert.equal(open.length, 0)
      if (shown.role === 'assistant') open.push(...toolCallsOf(shown).map(one => one.id))
      for (const one of open) assert.ok(!seen.has(one))
      open.forEach(one => seen.add(one))
    }
  }
  assert.equal(open.length, 0)
}

test('whatever the order on disk, each call has one result right behind its message', () => {
  const id = fc.constantFrom('1', '2', '3')
  const message = fc.oneof(
    fc.constant(user('q')),
    fc.array(id, { maxLength: 3 }).map(ids => assistant(ids.map(one => call(one)))),
    id.map(one => result(one, 'x')),
  )
  const transcripts = fc.array(message, { maxLength: 20 })
  fc.assert(fc.property(transcripts, messages => checkPairs(replayable(messages))))
  const mendsNothing = fc.property(transcripts, messages => checkPairs(messages))
  assert.throws(() => fc.assert(mendsNothing), 'a replay that mends nothing is caught')
})
