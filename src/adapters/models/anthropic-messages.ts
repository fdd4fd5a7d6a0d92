import type { ModelLink, ToolSpec } from '../../agent/model.ts'
import {
  type AssistantMessage,
  type Message,
  type ToolResultMessage,
  toolCallsOf,
  type UserMessage,
} from '../../core/message.ts'
import type { AnswerDraft } from './answer-draft.ts'
import type { Dialect } from './converse.ts'
import { countAt, listAt, objectAt, textAt } from './json.ts'
import { partsOf } from './message-parts.ts'

/** Anthropic's Messages. The base URL may or may not end in `/v1`. */
export const anthropicMessages: Dialect = {
  path: ({ baseUrl }) => (/\/v1\/*$/.test(baseUrl) ? '/messages' : '/v1/messages'),
  headers: ({ apiKey }: ModelLink) => ({
    'anthropic-version': '2023-06-01',
    ...(apiKey !== undefined && apiKey !== '' && { 'x-api-key': apiKey }),
  }),
  framing: 'events',
  body: ({ link, system, messages, tools, maxOutputTokens }) => ({
    model: link.model,
    stream: true,
    max_tokens: maxOutputTokens,
    messages: grouped(messages),
    ...(system !== '' && { system }),
    ...(tools.length > 0 && { tools: tools.map(inputTool) }),
  }),
  read(event, draft) {
    const index = String(countAt(event, 'index') ?? 0)
    switch (textAt(event, 'type')) {
      case 'message':
        return readWhole(event, draft)
      case 'message_start':
        return readUsage(objectAt(objectAt(event, 'message'), 'usage'), draft)
      case 'content_block_start':
        return readBlock(index, objectAt(event, 'content_block'), draft)
      case 'content_block_delta':
        return readDelta(index, objectAt(event, 'delta'), draft)
      case 'message_delta':
        readUsage(objectAt(event, 'usage'), draft)
        return readStop(objectAt(event, 'delta'), draft)
      case 'message_stop':
        draft.isClosed = true
        return undefined
      default:
        return undefined
    }
  },
}

function inputTool({ name, description, parameters }: ToolSpec): object {
  return { name, description, input_schema: { type: 'object', ...parameters } }
}

interface Turn {
  role: 'user' | 'assistant'
  content: object[]
}

/** Roles take turns, the results of one reply stand in one message, and a user begins. */
function grouped(messages: readonly Message[]): Turn[] {
  const turns: Turn[] = []
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user'
    const content = message.role === 'assistant' ? assistantBlocks(message) : userBlocks(message)
    const last = turns.at(-1)
    if (last?.role === role) last.content.push(...content)
    else turns.push({ role, content })
  }
  const [first] = turns
  return first?.role === 'assistant'
    ? [{ role: 'user', content: [{ type: 'text', text: '(earlier turns are left out)' }] }, ...turns]
    : turns
}

function userBlocks(message: UserMessage | ToolResultMessage): object[] {
  const blocks = partsOf(message).map(part =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image', source: { type: 'base64', media_type: part.mimeType, data: part.data } },
  )
  if (message.role === 'user') return blocks
  return [
    {
      type: 'tool_result',
      tool_use_id: message.toolCallId,
      content: blocks,
      ...(message.isError && { is_error: true }),
    },
  ]
}

/** Thinking is not sent back: it is bound to the model and key that signed it. Blank text is refused. */
function assistantBlocks(message: AssistantMessage): object[] {
  const texts = message.content.flatMap(part =>
    part.type === 'text' && part.text.trim() !== '' ? [{ type: 'text', text: part.text.trimEnd() }] : [],
  )
  const calls = toolCallsOf(message).map(({ id, name, arguments: input }) => ({
    type: 'tool_use',
    id,
    name,
    input,
  }))
  return [...texts, ...calls]
}

function readWhole(message: unknown, draft: AnswerDraft): void {
  readUsage(objectAt(message, 'usage'), draft)
  for (const [index, block] of listAt(message, 'content').entries()) {
    readBlock(String(index), block, draft)
    if (textAt(block, 'type') === 'tool_use')
      draft.setCallArguments(String(index), JSON.stringify(objectAt(block, 'input')))
  }
  readStop(message, draft)
}

function readBlock(index: string, block: unknown, draft: AnswerDraft): void {
  const type = textAt(block, 'type')
  if (type === 'text') draft.addText(index, textAt(block, 'text'))
  else if (type === 'thinking')
    draft.addThinking(index, textAt(block, 'thinking'), textAt(block, 'signature'))
  else if (type === 'tool_use') {
    const input = objectAt(block, 'input')
    const argumentsText = Object.keys(input).length > 0 ? JSON.stringify(input) : ''
    draft.addCall(index, { id: textAt(block, 'id'), name: textAt(block, 'name'), argumentsText })
  }
}

function readDelta(index: string, delta: unknown, draft: AnswerDraft): void {
  const type = textAt(delta, 'type')
  if (type === 'text_delta') draft.addText(index, textAt(delta, 'text'))
  else if (type === 'thinking_delta') draft.addThinking(index, textAt(delta, 'thinking'))
  else if (type === 'signature_delta') draft.addThinking(index, '', textAt(delta, 'signature'))
  // Blocks of the provider's own tools stream input too; they are not ours to run.
  else if (type === 'input_json_delta' && draft.has('toolCall', index)) {
    draft.addCall(index, { argumentsText: textAt(delta, 'partial_json') })
  }
}

function readStop(delta: unknown, draft: AnswerDraft): void {
  const reason = textAt(delta, 'stop_reason')
  if (reason === '') return
  if (reason === 'refusal') {
    const why = textAt(objectAt(delta, 'stop_details'), 'explanation')
    draft.fail('refusal', why || 'the model declined to answer')
  } else if (reason === 'model_context_window_exceeded') {
    draft.fail('context-overflow', 'the answer ran into the end of the context window')
  } else draft.finish = reason === 'max_tokens' ? 'length' : 'stop'
}

/** Counts grow from event to event; one that is not repeated stays. */
function readUsage(usage: unknown, draft: AnswerDraft): void {
  const { usage: before } = draft
  const input = countAt(usage, 'input_tokens') ?? before.input
  const output = countAt(usage, 'output_tokens') ?? before.output
  const cacheRead = countAt(usage, 'cache_read_input_tokens') ?? before.cacheRead
  const cacheWrite = countAt(usage, 'cache_creation_input_tokens') ?? before.cacheWrite
  draft.usage = { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite }
}
