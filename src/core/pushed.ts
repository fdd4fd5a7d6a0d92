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

/**
 * Of the list: addresses by the moment at which they were pushed, or a moment by
 * address, as older lists are. An absent list is an empty one.
 */
export function decodePushed(value: unknown): DecodedPushed {
  const pushed = new Map<string, Millis>()
  if (!isObject(value)) return { pushed, damage: 'not a mapping of times to addresses' }
  let unread = 0
  for (const [name, member] of Object.entries(value)) {
    const [stamp, urls] = Array.isArray(member) ? [name, member] : [member, [name]]
    const at = typeof stamp === 'string' ? fromIso(stamp) : undefined
    if (at === undefined) unread += 1
    else for (const url of urls) if (typeof url === 'string') pushed.set(url, at)
  }
  return unread === 0 ? { pushed } : { pushed, damage: `${unread} entries without a readable time` }
}

/** Some runs push all that is in a list of a week: the time stands once for each of them. */
export function encodePushed(pushed: Pushed): Record<string, string[]> {
  const byMoment = new Map<Millis, string[]>()
  for (const [url, at] of pushed) {
    const urls = byMoment.get(at)
    if (urls) urls.push(url)
    else byMoment.set(at, [url])
  }
  const inOrder = [...byMoment].sort(([a], [b]) => a - b)
  return Object.fromEntries(inOrder.map(([at, urls]) => [toIso(at), urls]))
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
