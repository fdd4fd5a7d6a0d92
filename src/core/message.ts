import type { Millis } from './millis.ts'

/** Messages as OpenClaw/pi v3 transcripts keep them (shared/reference/openclaw-formats.md section 2.3). */
export interface TextPart {
  type: 'text'
  text: string
}

export interface ThinkingPart {
  type: 'thinking'
  thinking: string
  thinkingSignature?: string
  redacted?: boolean
}

export interface ImagePart {
  type: 'image'
  /** base64 */
  data: string
  mimeType: string
}

export interface ToolCall {
  type: 'toolCall'
  id: string
  name: string
  arguments: Record<string, unknown>
}

export interface Usage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  totalTokens: number
  /** US dollars; undefined when the price of the model is not known, never zero for that. */
  cost?: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number }
}

export type StopReason = 'stop' | 'length' | 'toolUse' | 'error' | 'aborted'

export interface UserMessage {
  role: 'user'
  content: string | (TextPart | ImagePart)[]
  timestamp: Millis
}

export interface AssistantMessage {
  role: 'assistant'
  content: (TextPart | ThinkingPart | ToolCall)[]
  api: string
  provider: string
  model: string
  usage: Usage
  stopReason: StopReason
  errorMessage?: string
  timestamp: Millis
}

export interface ToolResultMessage {
  role: 'toolResult'
  toolCallId: string
  toolName: string
  content: (TextPart | ImagePart)[]
  details?: Record<string, unknown>
  isError: boolean
  timestamp: Millis
}

export type Message = UserMessage | AssistantMessage | ToolResultMessage

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 }

/** The visible text of a message, its parts joined. */
export function textOf(message: Message): string {
  if (typeof message.content === 'string') return message.content
  return message.content
    .filter(part => part.type === 'text')
    .map(part => part.text)
    .join('')
}

export function toolCallsOf(message: AssistantMessage): ToolCall[] {
  return message.content.filter(part => part.type === 'toolCall')
}
