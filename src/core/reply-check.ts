import { type AssistantMessage, textOf, toolCallsOf } from './message.ts'

/** What a reply is worth: nothing to see and nothing to do is never an answer. */
export type ReplyFault = 'empty' | 'thinking-only'

/** Undefined for a reply with visible text or a tool call. */
export function replyFault(message: AssistantMessage): ReplyFault | undefined {
  if (toolCallsOf(message).length > 0 || isVisible(withoutThinking(textOf(message)))) return undefined
  const hasThought = message.content.some(part => part.type === 'thinking') || isVisible(textOf(message))
  return hasThought ? 'thinking-only' : 'empty'
}

/** Some local models think aloud in the text itself. An unclosed thought hides all that follows it. */
export function withoutThinking(text: string): string {
  return text.replace(/^\s*<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/i, '')
}

/** Zero-width characters and byte order marks are nothing to see. */
function isVisible(text: string): boolean {
  return /[^\s\p{Cc}\p{Cf}\uFFFD]/u.test(text)
}
