import type { CollectorCache } from '../../agent/collector.ts'
import { canonicalUrl } from '../../core/canonical-url.ts'
import { isClawError } from '../../core/claw-error.ts'
import type { Millis } from '../../core/millis.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import { type DecodedPushed, decodePushed, encodePushed, foldPushed } from '../../core/pushed.ts'
import { DiskError } from '../../world/disk.ts'
import { sha256 } from '../../world/hash.ts'

const listName = 'pushed.json'

/** What was pushed in the last days, for a collector. Never throws: what is wrong with the list is in `damage`. */
export function peekPushed(cache: CollectorCache): DecodedPushed {
  try {
    return decodeList(cache.read(listName))
  } catch (error) {
    if (!(error instanceof DiskError) && !isClawError(error)) throw error
    return { pushed: new Map(), damage: error.message }
  }
}

/**
 * Adds the links that a run had to choose from; call it only for a run that was
 * `ok`. A damaged list is first set aside under another name, and what
 * could be read of it is kept. Throws what the cache throws: nothing is written
 * after a failed read. The result is for people; empty when all was well.
 */
export function recordPushed(cache: CollectorCache, urls: Iterable<string>, now: Millis): string[] {
  const text = cache.read(listName)
  const { pushed, damage } = decodeList(text)
  const notes: string[] = []
  if (damage !== undefined && text !== undefined) {
    const aside = `pushed.damaged-${sha256(text).slice(0, 12)}.json`
    cache.write(aside, text)
    notes.push(`${listName} was damaged (${damage}); it was set aside as ${aside}`)
  }
  const canonical = [...urls].map(url => canonicalUrl(url)).filter(url => url !== undefined)
  const next = foldPushed(pushed, canonical, now)
  cache.write(listName, `${JSON.stringify(encodePushed(next), null, 1)}\n`)
  return notes
}

function decodeList(text: string | undefined): DecodedPushed {
  if (text === undefined) return { pushed: new Map() }
  const value = parsedJson(text)
  return value === undefined ? { pushed: new Map(), damage: 'not JSON' } : decodePushed(value)
}
