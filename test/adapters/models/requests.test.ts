import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Ask, ModelApi } from '../../../src/agent/model.ts'
import { type Message, noUsage } from '../../../src/core/message.ts'
import { answering, ask, linkTo, request, type Sent } from './model-rig.ts'

const assistant = {
  role: 'assistant',
  api: 'a',
  provider: 'p',
  model: 'm',
  usage: noUsage,
  stopReason: 'toolUse',
  timestamp: 2,
} as const

/** A round of two tools, an image, half an emoji, and thinking that must stay at home. */
const messages: Message[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'look \ud83e' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ],
    timestamp: 1,
  },
  {
    ...assistant,
    content: [
      { type: 'thinking', thinking: 'private', thinkingSignature: 's' },
      { type: 'text', text: 'Looking. ' },
      { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' } },
      { type: 'toolCall', id: 'c2', name: 'list', arguments: {} },
    ],
  },
  {
    role: 'toolResult',
    toolCallId: 'c1',
    toolName: 'read',
    content: [{ type: 'text', text: 'A' }],
    details: { kept: 'home' },
    isError: false,
    timestamp: 3,
  },
  {
    role: 'toolResult',
    toolCallId: 'c2',
    toolName: 'list',
    content: [{ type: 'text', text: '' }],
    isError: true,
    timestamp: 3,
  },
  { role: 'user', content: 'and?', timestamp: 4 },
]
const tools: Ask['tools'] = [
  {
    name: 'read',
    description: 'Reads.',
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
]

async function sent(t: TestContext, api: ModelApi, more: Partial<Ask> = {}, path = ''): Promise<Sent> {
  const { origin, asked } = await answering(t, { body: '' })
  await ask(
    request(linkTo(api, origin + path, { headers: { 'x-own': 'yes' } }), { messages, tools, ...more }),
  )
  const [only] = asked
  assert.ok(only)
  assert.equal(only.headers['x-own'], 'yes')
  for (const secret of ['private', 'home', '\\ud83e'])
    assert.ok(!JSON.stringify(only.body).includes(secret), secret)
  assert.equal(only.body['stream'], true)
  return only
}

test('chat completions: order of roles, output limit, usage asked for', async t => {
  const { url, headers, body } = await sent(t, 'openai-chat', {}, '/v1/')
  assert.equal(url, '/v1/chat/completions')
  assert.equal(headers['authorization'], 'Bearer key-s3cret')
  assert.equal(body['max_completion_tokens'], 500)
  assert.deepEqual(body['stream_options'], { include_usage: true })
  assert.deepEqual(
    body.messages.map(message => message.role),
    ['system', 'user', 'assistant', 'tool', 'tool', 'user'],
  )
  assert.deepEqual(body.messages[1]?.content, [
    { type: 'text', text: 'look \ufffd' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
  ])
  assert.deepEqual(body.messages[2]?.tool_calls[0], {
    id: 'c1',
    type: 'function',
    function: { name: 'read', arguments: '{"path":"a"}' },
  })
  assert.deepEqual(body.messages[4], { role: 'tool', tool_call_id: 'c2', content: '(empty)' })
  assert.equal(body.tools[0]?.function.name, 'read')
})

test('responses: items, nothing stored', async t => {
  const { url, body } = await sent(t, 'openai-responses', { maxOutputTokens: 1 }, '/v1')
  assert.equal(url, '/v1/responses')
  assert.equal(body['store'], false)
  assert.equal(body['instructions'], 'Be brief.')
  assert.equal(body['max_output_tokens'], 16)
  assert.deepEqual(
    body.input.map(item => item.type ?? item.role),
    [
      'user',
      'assistant',
      'function_call',
      'function_call',
      'function_call_output',
      'function_call_output',
      'user',
    ],
  )
})

test('messages: results of one reply stand in one user message, roles take turns', async t => {
  const { url, headers, body } = await sent(t, 'anthropic-messages')
  assert.equal(url, '/v1/messages')
  assert.equal(headers['x-api-key'], 'key-s3cret')
  assert.ok(headers['anthropic-version'])
  assert.equal(body['max_tokens'], 500)
  assert.equal(body['system'], 'Be brief.')
  assert.deepEqual(
    body.messages.map(message => message.role),
    ['user', 'assistant', 'user'],
  )
  assert.deepEqual(
    body.messages[2]?.content.map(block => block.type),
    ['tool_result', 'tool_result', 'text'],
  )
  assert.equal(body.messages[2]?.content[1]?.['is_error'], true)
  assert.deepEqual(body.messages[1]?.content[0], { type: 'text', text: 'Looking.' })
  assert.equal((await sent(t, 'anthropic-messages', {}, '/v1/')).url, '/v1/messages')
})

test('messages: a transcript that begins with a reply is led in by the user', async t => {
  const { body } = await sent(t, 'anthropic-messages', { messages: messages.slice(1) })
  assert.equal(body.messages[0]?.role, 'user')
})

test('ollama: the window is always sent', async t => {
  const { url, body } = await sent(t, 'ollama-chat')
  assert.equal(url, '/api/chat')
  assert.deepEqual(body['options'], { num_ctx: 8192, num_predict: 500 })
  assert.deepEqual(body.messages[1], { role: 'user', content: 'look \ufffd', images: ['aGk='] })
  assert.deepEqual(body.messages[2]?.tool_calls[0], { function: { name: 'read', arguments: { path: 'a' } } })
  assert.equal(body.messages[3]?.tool_name, 'read')
})

function answerHavingSeen(promptTokens: number): string {
  return `${JSON.stringify({ message: { content: 'Fine.' }, done: true, prompt_eval_count: promptTokens, eval_count: 1 })}\n`
}

test('ollama: a server that saw half of the prompt has dropped the rest, and that is no answer', async t => {
  const system = 'Every word of this matters to the reader. '.repeat(400)
  for (const [seen, kind] of [
    [2048, 'refused'],
    [10, 'answered'],
    [4100, 'answered'],
  ] as const) {
    const { origin } = await answering(t, { body: answerHavingSeen(seen) })
    const reply = await ask(request(linkTo('ollama-chat', origin), { system }))
    assert.equal(reply.kind, kind)
    if (reply.kind === 'refused') assert.equal(reply.why, 'context-overflow')
  }
})
