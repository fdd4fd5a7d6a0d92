import type { Message } from './message.ts'
import { isObject } from './json-schema.ts'

/** First line of a transcript (OpenClaw/pi version 3). */
export interface SessionHeader {
  type: 'session'
  version: number
  id: string
  timestamp: string
  cwd: string
  parentSession?: string
}

interface EntryHead {
  /** 8 hex characters, unique within the file. */
  id: string
  parentId: string | null
  timestamp: string
}

/** One line of a transcript; by `parentId` the lines form a tree. */
export type SessionEntry = EntryHead &
  (
    | { type: 'message'; message: Message }
    | {
        type: 'compaction'
        summary: string
        firstKeptEntryId: string
        tokensBefore: number
        details?: unknown
      }
    | { type: 'branch_summary'; fromId: string; summary: string }
    | { type: 'custom'; customType: string; data?: unknown }
    | {
        type: 'custom_message'
        customType: string
        content: string | { type: 'text'; text: string }[]
        display?: boolean
      }
    | { type: 'thinking_level_change'; thinkingLevel: string }
    | { type: 'model_change'; provider: string; modelId: string }
    | { type: 'label'; targetId: string; label: string }
    | { type: 'session_info'; name: string }
    | { type: 'leaf'; leafId: string }
  )

export type EntryDraft = SessionEntry extends infer E
  ? E extends SessionEntry
    ? Omit<E, keyof EntryHead>
    : never
  : never

export interface SessionLine {
  header?: SessionHeader
  entry?: SessionEntry
}

/** Undefined for a line that is neither; unknown types are kept verbatim by whoever rewrites. */
export function decodeSessionLine(value: unknown): SessionLine | undefined {
  if (!isObject(value) || typeof value['type'] !== 'string') return undefined
  if (value['type'] === 'session') {
    return typeof value['id'] === 'string' ? { header: value as unknown as SessionHeader } : undefined
  }
  if (typeof value['id'] !== 'string' || !('parentId' in value)) return undefined
  if (value['type'] === 'message' && !isMessage(value['message'])) return undefined
  return { entry: value as unknown as SessionEntry }
}

function isMessage(value: unknown): value is Message {
  if (!isObject(value)) return false
  const { role, content } = value
  const isContent =
    typeof content === 'string' ? role === 'user' : Array.isArray(content) && content.every(isObject)
  return isContent && (role === 'user' || role === 'assistant' || role === 'toolResult')
}

/** Entries from the root to `leafId` (default: the last one, or what a `leaf` entry says). */
export function branchOf(entries: readonly SessionEntry[], leafId?: string): SessionEntry[] {
  const byId = new Map(entries.map(entry => [entry.id, entry]))
  const last = entries.at(-1)
  let at: SessionEntry | undefined = leafId
    ? byId.get(leafId)
    : last?.type === 'leaf'
      ? byId.get(last.leafId)
      : last
  const branch: SessionEntry[] = []
  const seen = new Set<string>()
  while (at && !seen.has(at.id)) {
    seen.add(at.id)
    branch.push(at)
    at = at.parentId === null ? undefined : byId.get(at.parentId)
  }
  return branch.reverse()
}

/** The transcript a model is shown: the branch, or the last summary and what it kept. */
export function transcriptOf(branch: readonly SessionEntry[]): Message[] {
  const cut = branch.findLastIndex(entry => entry.type === 'compaction')
  const compaction = branch[cut]
  if (compaction?.type !== 'compaction') return branch.flatMap(messagesOf)
  const kept = branch.findIndex(entry => entry.id === compaction.firstKeptEntryId)
  const from = kept === -1 || kept > cut ? cut + 1 : kept
  const rest = branch.slice(from).filter(entry => entry !== compaction)
  return [summaryMessage(compaction.summary, compaction.timestamp), ...rest.flatMap(messagesOf)]
}

function messagesOf(entry: SessionEntry): Message[] {
  switch (entry.type) {
    case 'message':
      return [entry.message]
    case 'custom_message':
      return [{ role: 'user', content: entry.content, timestamp: Date.parse(entry.timestamp) }]
    case 'branch_summary':
      return [summaryMessage(entry.summary, entry.timestamp)]
    default:
      return []
  }
}

function summaryMessage(summary: string, timestamp: string): Message {
  return {
    role: 'user',
    content: `Summary of the conversation so far:\n\n${summary}`,
    timestamp: Date.parse(timestamp),
  }
}

/** One value of `sessions.json`; only the first two are required, unknown keys are kept. */
export interface SessionIndexEntry {
  sessionId: string
  updatedAt: number
  [key: string]: unknown
}

/** Keys of `sessions.json` (formats section 2.1). */
export function sessionKey(agent: string, kind: string, job: string | undefined): string {
  if (kind === 'main') return `agent:${agent}:main`
  if (kind.startsWith('named:')) return `agent:${agent}:${kind}`
  return `cron:${agent}/${job ?? '-'}`
}
