import type { Ask } from '../../agent/model.ts'
import {
  type AssistantMessage,
  type Message,
  textOf,
  toolCallsOf,
  type UserMessage,
} from '../../core/message.ts'
import { estimateTokens } from '../../core/tokens.ts'
import type { AnswerDraft } from './answer-draft.ts'
import type { Dialect } from './converse.ts'
import { countAt, listAt, objectAt, textAt } from './json.ts'
import { bearer, partsOf, textOnly } from './message-parts.ts'
import { chatTool } from './openai-chat.ts'

/** Ollama's own chat. Its default window is small and drops the system prompt without a word, so the window is always sent. */
export const ollamaChat: Dialect = {
  path: () => '/api/chat',
  headers: ({ apiKey }) => bearer(apiKey),
  framing: 'lines',
  body: ({ link, system, messages, tools, maxOutputTokens }) => ({
    model: link.model,
    stream: true,
    options: { num_ctx: link.window, num_predict: maxOutputTokens },
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...messages.map(ollamaMessage),
    ],
    ...(tools.length > 0 && { tools: tools.map(chatTool) }),
  }),
  read(event, draft) {
    const message = objectAt(event, 'message')
    draft.addThinking('', textAt(message, 'thinking'))
    draft.addText('', textAt(message, 'content'))
    for (const call of listAt(message, 'tool_calls')) readCall(call, draft)
    if (objectAt({ event }, 'event')['done'] === true) readEnd(event, draft)
  },
  doubt(ask, draft) {
    const sent = estimatePrompt(ask)
    const seen = draft.usage.input
    if (seen < smallestWindow || sent < smallestDoubt || seen * 2 > sent) return
    draft.fail(
      'context-overflow',
      `the server saw ${seen} prompt tokens of about ${sent}: its window is smaller than ${ask.link.window}`,
    )
  },
}

/** An estimate is good within some 40 %; half of it missing is a cut, in a prompt long enough to tell. */
const smallestDoubt = 2000
/** A cut leaves about a window; fewer tokens than any window has mean that the rest was cached, or not counted. */
const smallestWindow = 1024

function estimatePrompt({ system, messages, tools }: Ask): number {
  const texts = messages.map(message => (message.role === 'assistant' ? textOf(message) : textOnly(message)))
  return [system, ...texts, ...tools.map(tool => JSON.stringify(tool))].reduce(
    (sum, text) => sum + estimateTokens(text),
    0,
  )
}

function ollamaMessage(message: Message): object {
  if (message.role === 'toolResult')
    return { role: 'tool', tool_name: message.toolName, content: textOnly(message) }
  return message.role === 'user' ? userMessage(message) : assistantMessage(message)
}

function userMessage(message: UserMessage): object {
  const parts = partsOf(message)
  const content = parts
    .map(part => (part.type === 'text' ? part.text : ''))
    .join('\n')
    .trim()
  const images = parts.flatMap(part => (part.type === 'image' ? [part.data] : []))
  return { role: 'user', content, ...(images.length > 0 && { images }) }
}

function assistantMessage(message: AssistantMessage): object {
  const calls = toolCallsOf(message).map(({ name, arguments: args }) => ({
    function: { name, arguments: args },
  }))
  return { role: 'assistant', content: textOf(message), ...(calls.length > 0 && { tool_calls: calls }) }
}

/** Each call comes whole, most often without an id. */
function readCall(call: unknown, draft: AnswerDraft): void {
  const made = objectAt(call, 'function')
  const args = made['arguments']
  draft.addCall(String(draft.parts.length), {
    id: textAt(call, 'id'),
    name: textAt(made, 'name'),
    argumentsText: typeof args === 'string' ? args : JSON.stringify(args ?? {}),
  })
}

function readEnd(event: unknown, draft: AnswerDraft): void {
  const input = countAt(event, 'prompt_eval_count') ?? 0
  const output = countAt(event, 'eval_count') ?? 0
  draft.usage = { input, output, cacheRead: 0, cacheWrite: 0, totalTokens: input + output }
  draft.finish = textAt(event, 'done_reason') === 'length' ? 'length' : 'stop'
  draft.isClosed = true
}
