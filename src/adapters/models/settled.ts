import type { Ask, Reply } from '../../agent/model.ts'
import { isObject } from '../../core/json-schema.ts'
import type { AssistantMessage, ThinkingPart, TextPart, ToolCall, Usage } from '../../core/message.ts'
import type { Millis } from '../../core/millis.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import { replyFault, withoutThinking } from '../../core/reply-check.ts'
import { pricedUsage } from '../../core/usage.ts'
import type { AnswerDraft, DraftFault, DraftPart } from './answer-draft.ts'

/**
 * The one place that decides whether what streamed in is an answer. A stream without
 * its end marker, one cut at the output limit, and one with nothing to see are none,
 * whatever text they carried.
 */
export function settled(draft: AnswerDraft, { link, messages }: Ask, now: Millis): Reply {
  const usage = pricedUsage(draft.usage, link.price)
  const refused = ({ why, detail }: DraftFault): Reply => refusal(draft, usage, { why, detail })
  if (draft.fault) return refused(draft.fault)
  if (draft.finish === undefined)
    return refused({ why: 'network', detail: 'the answer broke off before its end' })
  if (draft.finish === 'length')
    return refused({ why: 'truncated', detail: 'the answer was cut at the output limit' })
  const content: AssistantMessage['content'] = []
  for (const [index, part] of draft.parts.entries()) {
    const finished = finishedParts(part, `call_${messages.length}_${index}`)
    if (finished === undefined)
      return refused({ why: 'format', detail: 'a tool call came with arguments that are not JSON' })
    content.push(...finished)
  }
  const message: AssistantMessage = {
    role: 'assistant',
    content,
    api: link.api,
    provider: link.provider,
    model: link.model,
    usage,
    stopReason: content.some(part => part.type === 'toolCall') ? 'toolUse' : 'stop',
    timestamp: now,
  }
  const fault = replyFault(message)
  return fault ? refused({ why: 'empty', detail: emptyDetails[fault] }) : { kind: 'answered', message }
}

const emptyDetails = {
  empty: 'the answer was empty',
  'thinking-only': 'the answer had thinking only, no text and no tool call',
}

function refusal(draft: AnswerDraft, usage: Usage, { why, detail }: DraftFault): Reply {
  const partial = draft.text
  return {
    kind: 'refused',
    why,
    detail,
    ...(usage.totalTokens > 0 && { usage }),
    ...(partial !== '' && { partial }),
  }
}

/** Undefined for a call whose arguments cannot be read. */
function finishedParts(part: DraftPart, spareId: string): (TextPart | ThinkingPart | ToolCall)[] | undefined {
  if (part.type === 'toolCall') {
    const args = part.argumentsText.trim() === '' ? {} : parsedJson(part.argumentsText)
    if (!isObject(args) || part.name === '') return undefined
    return [{ type: 'toolCall', id: part.id || spareId, name: part.name, arguments: args }]
  }
  if (part.type === 'thinking') return part.thinking === '' ? [] : [{ ...part }]
  const text = withoutThinking(part.text)
  const thinking = part.text.slice(0, part.text.length - text.length)
  const said: (TextPart | ThinkingPart)[] = thinking === '' ? [] : [{ type: 'thinking', thinking }]
  return text === '' ? said : [...said, { type: 'text', text: thinking === '' ? text : text.trimStart() }]
}
