import type { Ask, ToolSpec } from '../../agent/model.ts'
import {
  type AssistantMessage,
  type Message,
  textOf,
  toolCallsOf,
  type UserMessage,
} from '../../core/message.ts'
import type { AnswerDraft } from './answer-draft.ts'
import type { Dialect } from './converse.ts'
import { countAt, listAt, objectAt, textAt } from './json.ts'
import { bearer, dataUrl, partsOf, textOnly } from './message-parts.ts'
import { decodeProviderError } from './provider-error.ts'
import { classify } from './classify.ts'

/** Chat completions of OpenAI and of the many that speak like it. The base URL includes `/v1`. */
export const openaiChat: Dialect = {
  path: () => '/chat/completions',
  headers: ({ apiKey }) => bearer(apiKey),
  framing: 'events',
  body: ask => ({
    model: ask.link.model,
    stream: true,
    stream_options: { include_usage: true },
    max_completion_tokens: ask.maxOutputTokens,
    messages: [...systemMessages(ask), ...ask.messages.map(chatMessage)],
    ...(ask.tools.length > 0 && { tools: ask.tools.map(chatTool) }),
  }),
  read(event, draft) {
    readUsage(event, draft)
    for (const choice of listAt(event, 'choices'))
      if ((countAt(choice, 'index') ?? 0) === 0) readChoice(choice, draft)
    if (draft.finish !== undefined && draft.usage.totalTokens > 0) draft.isClosed = true
  },
}

function systemMessages({ system }: Ask): object[] {
  return system === '' ? [] : [{ role: 'system', content: system }]
}

export function chatTool({ name, description, parameters }: ToolSpec): object {
  return { type: 'function', function: { name, description, parameters } }
}

function chatMessage(message: Message): object {
  if (message.role === 'user') return { role: 'user', content: userContent(message) }
  if (message.role === 'toolResult')
    return { role: 'tool', tool_call_id: message.toolCallId, content: textOnly(message) }
  return assistantMessage(message)
}

function userContent(message: UserMessage): string | object[] {
  if (typeof message.content === 'string') return textOnly(message)
  return partsOf(message).map(part =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: 'image_url', image_url: { url: dataUrl(part) } },
  )
}

function assistantMessage(message: AssistantMessage): object {
  const text = textOf(message)
  const calls = toolCallsOf(message).map(({ id, name, arguments: args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

function readChoice(choice: unknown, draft: AnswerDraft): void {
  const error = decodeProviderError(choice)
  if (error) return draft.fail(classify({ error }), error.message)
  const streamed = objectAt(choice, 'delta')
  const delta = Object.keys(streamed).length > 0 ? streamed : objectAt(choice, 'message')
  draft.addThinking('', textAt(delta, 'reasoning_content') || textAt(delta, 'reasoning'))
  if (textAt(delta, 'content') !== '') draft.addText('', textAt(delta, 'content'))
  for (const [position, call] of listAt(delta, 'tool_calls').entries()) readCall(call, position, draft)
  if (textAt(delta, 'refusal') !== '') draft.refusal += textAt(delta, 'refusal')
  readFinish(textAt(choice, 'finish_reason'), draft)
}

function readCall(call: unknown, position: number, draft: AnswerDraft): void {
  const id = textAt(call, 'id')
  const made = objectAt(call, 'function')
  const args = made['arguments']
  draft.addCall(callKey(id, countAt(call, 'index') ?? position, draft), {
    id,
    name: textAt(made, 'name'),
    argumentsText:
      typeof args === 'string' ? args : args === undefined || args === null ? '' : JSON.stringify(args),
  })
}

/** Some servers number every call 0, or none: another id then means another call, and a piece without one goes to the last. */
function callKey(id: string, index: number, draft: AnswerDraft): string {
  for (let nth = 0; ; nth += 1) {
    const key = `${index}.${nth}`
    const known = draft.callId(key)
    const isLast = !draft.has('toolCall', `${index}.${nth + 1}`)
    if (id === '' ? isLast : known === '' || known === id) return key
  }
}

function readFinish(reason: string, draft: AnswerDraft): void {
  if (reason === '') return
  if (reason === 'content_filter')
    draft.fail('refusal', 'the content filter of the provider stopped the answer')
  else if (reason === 'error' || reason === 'network_error')
    draft.fail('server', `the provider ended the answer with ${reason}`)
  else if (draft.refusal !== '') draft.fail('refusal', draft.refusal.replace(/\s+/g, ' ').slice(0, 300))
  else draft.finish = reason === 'length' || reason === 'model_length' ? 'length' : 'stop'
}

/** Cached tokens are part of `prompt_tokens` here; in a transcript they stand beside them. */
function readUsage(event: unknown, draft: AnswerDraft): void {
  const usage = objectAt(event, 'usage')
  const prompt = countAt(usage, 'prompt_tokens')
  if (prompt === undefined) return
  const output = countAt(usage, 'completion_tokens') ?? 0
  const cacheRead =
    countAt(objectAt(usage, 'prompt_tokens_details'), 'cached_tokens') ??
    countAt(usage, 'prompt_cache_hit_tokens') ??
    0
  const input = Math.max(0, prompt - cacheRead)
  draft.usage = { input, output, cacheRead, cacheWrite: 0, totalTokens: prompt + output }
}
