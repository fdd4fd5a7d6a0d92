import {
  type AssistantMessage,
  type Message,
  type ToolCall,
  type ToolResultMessage,
  toolCallsOf,
} from './message.ts'

/**
 * What a model is shown of a transcript. The transcript itself is not changed. After
 * this every call has exactly one result, right behind its message; ids are unique and
 * made of characters that every provider takes; nothing dangles.
 */
export function replayable(messages: readonly Message[]): Message[] {
  const shown: Message[] = []
  const usedIds = new Set<string>()
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]
    if (!message || message.role === 'toolResult') continue
    if (message.role === 'user') {
      shown.push(message)
      continue
    }
    const kept = worthReplaying(message)
    if (!kept) continue
    const calls = toolCallsOf(kept)
    const ids = calls.map(call => uniqueId(call.id, usedIds))
    shown.push(withIds(kept, ids))
    const results = resultsUntilNextReply(messages, index + 1)
    calls.forEach((call, at) => shown.push(resultFor(call, ids[at] ?? call.id, results, kept)))
  }
  return shown
}

/** Without calls that were cut; undefined when nothing but thinking is left, or the reply broke off. */
function worthReplaying(message: AssistantMessage): AssistantMessage | undefined {
  const isBroken = message.stopReason === 'error' || message.stopReason === 'aborted'
  const content = message.content.filter(part =>
    part.type === 'toolCall' ? !isBroken && message.stopReason !== 'length' && hasArguments(part) : true,
  )
  const isSeen = content.some(
    part => part.type === 'toolCall' || (part.type === 'text' && part.text.trim() !== ''),
  )
  return isSeen ? { ...message, content } : undefined
}

function hasArguments(call: ToolCall): boolean {
  const value: unknown = call.arguments
  return typeof value === 'object' && value !== null
}

/** Providers take letters, digits, `_` and `-`, at most 40 of them. */
function uniqueId(id: string, used: Set<string>): string {
  const safe = id.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 32) || 'call'
  let unique = safe
  for (let n = 2; used.has(unique); n += 1) unique = `${safe}_${n}`
  used.add(unique)
  return unique
}

function withIds(message: AssistantMessage, ids: readonly string[]): AssistantMessage {
  let at = 0
  return {
    ...message,
    content: message.content.map(part =>
      part.type === 'toolCall' ? { ...part, id: ids[at++] ?? part.id } : part,
    ),
  }
}

/** An id may come again in a later turn, so a result belongs to the nearest reply before it. */
function resultsUntilNextReply(messages: readonly Message[], from: number): ToolResultMessage[] {
  const results: ToolResultMessage[] = []
  for (let at = from; at < messages.length; at += 1) {
    const message = messages[at]
    if (!message || message.role === 'assistant') break
    if (message.role === 'toolResult') results.push(message)
  }
  return results
}

/** Takes the result out of `results`, so that two calls with one id get one each. */
function resultFor(
  call: ToolCall,
  id: string,
  results: ToolResultMessage[],
  after: AssistantMessage,
): ToolResultMessage {
  const at = results.findIndex(result => result.toolCallId === call.id)
  const [found] = at === -1 ? [] : results.splice(at, 1)
  if (found) return { ...found, toolCallId: id, toolName: call.name }
  return {
    role: 'toolResult',
    toolCallId: id,
    toolName: call.name,
    content: [
      {
        type: 'text',
        text: 'No result was recorded: the run ended during this call. It may or may not have had its effect; check before repeating it.',
      },
    ],
    isError: true,
    timestamp: after.timestamp,
  }
}
