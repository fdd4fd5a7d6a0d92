import { dayMs, fromIso, type Millis, toIso } from './millis.ts'
import { isObject } from './json-schema.ts'

/** Canonical address -> when it was pushed last. */
export type Pushed = ReadonlyMap<string, Millis>

/** A link is not shown again within this time. */
export const pushedForMs: Millis = 7 * dayMs

export interface DecodedPushed {
  pushed: Pushed
  /** Why it is not wholly readable; what could be read is in `pushed` all the same. */
  damage?: string
}

/** Of the text of the list; an absent list is an empty one. */
export function decodePushed(value: unknown): DecodedPushed {
  const pushed = new Map<string, Millis>()
  if (!isObject(value)) return { pushed, damage: 'not a mapping of addresses to times' }
  let unread = 0
  for (const [url, stamp] of Object.entries(value)) {
    const at = typeof stamp === 'string' ? fromIso(stamp) : undefined
    if (at === undefined) unread++
    else pushed.set(url, at)
  }
  return unread === 0 ? { pushed } : { pushed, damage: `${unread} entries without a readable time` }
}

export function encodePushed(pushed: Pushed): Record<string, string> {
  const sorted = [...pushed].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
  return Object.fromEntries(sorted.map(([url, at]) => [url, toIso(at)]))
}

/** Adds what was pushed at `now` and drops what is older than seven days; a stamp of the future counts as now. */
export function foldPushed(pushed: Pushed, urls: Iterable<string>, now: Millis): Pushed {
  const next = new Map<string, Millis>()
  for (const [url, at] of pushed) {
    if (now - at < pushedForMs) next.set(url, Math.min(at, now))
  }
  for (const url of urls) next.set(url, now)
  return next
}

export function isPushed(pushed: Pushed, canonical: string, now: Millis): boolean {
  const at = pushed.get(canonical)
  return at !== undefined && now - at < pushedForMs
}
