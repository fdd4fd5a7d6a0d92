import type { ToolSpec } from '../../agent/model.ts'
import { type AssistantMessage, type Message, textOf, toolCallsOf } from '../../core/message.ts'
import type { AnswerDraft } from './answer-draft.ts'
import { classify } from './classify.ts'
import type { Dialect } from './converse.ts'
import { countAt, listAt, objectAt, textAt } from './json.ts'
import { bearer, dataUrl, partsOf, textOnly } from './message-parts.ts'
import { decodeProviderError } from './provider-error.ts'

/** The smallest output limit that the API takes. */
const fewestOutputTokens = 16

/** OpenAI's Responses, stateless: nothing is kept on the server. The base URL includes `/v1`. */
export const openaiResponses: Dialect = {
  path: () => '/responses',
  headers: ({ apiKey }) => bearer(apiKey),
  framing: 'events',
  body: ({ link, system, messages, tools, maxOutputTokens }) => ({
    model: link.model,
    stream: true,
    store: false,
    max_output_tokens: Math.max(fewestOutputTokens, maxOutputTokens),
    input: messages.flatMap(inputItems),
    ...(system !== '' && { instructions: system }),
    ...(tools.length > 0 && { tools: tools.map(functionTool) }),
  }),
  read(event, draft) {
    const type = textAt(event, 'type')
    if (textAt(event, 'object') === 'response') readEnd(event, draft)
    else if (type === 'response.completed' || type === 'response.incomplete' || type === 'response.failed') {
      readEnd(objectAt(event, 'response'), draft)
    } else readPiece(type, event, draft)
  },
}

function functionTool({ name, description, parameters }: ToolSpec): object {
  return { type: 'function', name, description, parameters, strict: false }
}

function inputItems(message: Message): object[] {
  if (message.role === 'toolResult') {
    return [{ type: 'function_call_output', call_id: message.toolCallId, output: textOnly(message) }]
  }
  if (message.role === 'assistant') return assistantItems(message)
  const content = partsOf(message).map(part =>
    part.type === 'text'
      ? { type: 'input_text', text: part.text }
      : { type: 'input_image', image_url: dataUrl(part) },
  )
  return [{ role: 'user', content }]
}

function assistantItems(message: AssistantMessage): object[] {
  const text = textOf(message)
  const said = text === '' ? [] : [{ role: 'assistant', content: [{ type: 'output_text', text }] }]
  const calls = toolCallsOf(message).map(({ id, name, arguments: args }) => ({
    type: 'function_call',
    call_id: id,
    name,
    arguments: JSON.stringify(args),
  }))
  return [...said, ...calls]
}

/** Places are numbers here: some gateways change the ids of items from event to event. */
function readPiece(type: string, event: unknown, draft: AnswerDraft): void {
  const place = String(countAt(event, 'output_index') ?? 0)
  const delta = textAt(event, 'delta')
  switch (type) {
    case 'response.output_text.delta':
      return draft.addText(`${place}.${countAt(event, 'content_index') ?? 0}`, delta)
    case 'response.refusal.delta':
      draft.refusal += delta
      return undefined
    case 'response.reasoning_summary_text.delta':
    case 'response.reasoning_text.delta':
      return draft.addThinking(place, delta)
    case 'response.output_item.added':
      return readCallHead(place, objectAt(event, 'item'), draft)
    case 'response.function_call_arguments.delta':
      return draft.addCall(place, { argumentsText: delta })
    case 'response.function_call_arguments.done':
      return draft.setCallArguments(place, textAt(event, 'arguments'))
    case 'response.output_item.done':
      return readWholeItem(place, objectAt(event, 'item'), draft)
    default:
      return undefined
  }
}

function readCallHead(place: string, item: unknown, draft: AnswerDraft): void {
  if (textAt(item, 'type') === 'function_call') {
    draft.addCall(place, { id: textAt(item, 'call_id'), name: textAt(item, 'name') })
  }
}

/** Also the only source where a gateway sends no deltas. */
function readWholeItem(place: string, item: unknown, draft: AnswerDraft): void {
  if (textAt(item, 'type') === 'function_call') {
    readCallHead(place, item, draft)
    draft.setCallArguments(place, textAt(item, 'arguments'))
  }
  for (const [index, part] of listAt(item, 'content').entries()) {
    const key = `${place}.${index}`
    if (textAt(part, 'type') === 'output_text' && !draft.has('text', key))
      draft.addText(key, textAt(part, 'text'))
    if (textAt(part, 'type') === 'refusal' && draft.refusal === '') draft.refusal = textAt(part, 'refusal')
  }
}

function readEnd(response: unknown, draft: AnswerDraft): void {
  readUsage(response, draft)
  const error = decodeProviderError(response)
  const status = textAt(response, 'status')
  if (error) return draft.fail(classify({ error }), error.message)
  if (status === 'failed' || status === 'cancelled')
    return draft.fail('server', `the provider ended the answer as ${status}`)
  for (const [place, item] of listAt(response, 'output').entries()) readWholeItem(String(place), item, draft)
  draft.isClosed = true
  const reason = textAt(objectAt(response, 'incomplete_details'), 'reason')
  if (reason === 'content_filter')
    return draft.fail('refusal', 'the content filter of the provider stopped the answer')
  if (draft.refusal !== '') return draft.fail('refusal', draft.refusal.replace(/\s+/g, ' ').slice(0, 300))
  draft.finish = status === 'incomplete' ? 'length' : 'stop'
}

function readUsage(response: unknown, draft: AnswerDraft): void {
  const usage = objectAt(response, 'usage')
  const prompt = countAt(usage, 'input_tokens')
  if (prompt === undefined) return
  const output = countAt(usage, 'output_tokens') ?? 0
  const cacheRead = countAt(objectAt(usage, 'input_tokens_details'), 'cached_tokens') ?? 0
  const input = Math.max(0, prompt - cacheRead)
  draft.usage = { input, output, cacheRead, cacheWrite: 0, totalTokens: prompt + output }
}
