import type { CollectorCache } from '../../agent/collector.ts'
import { isClawError } from '../../core/claw-error.ts'
import { isObject } from '../../core/json-schema.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import { DiskError } from '../../world/disk.ts'
import { sha256 } from '../../world/hash.ts'
import type { FeedItem, ParsedFeed } from './feed-item.ts'

/** The last good answer of one address, so that the next question can be "has it changed?". */
export interface CachedFeed {
  url: string
  etag: string
  lastModified: string
  feed: ParsedFeed
}

/** Undefined when there is none that can be used; a cache that cannot be read only costs a full answer. */
export function cachedFeed(cache: CollectorCache, url: string): CachedFeed | undefined {
  const text = tried(() => cache.read(nameOf(url)))
  if (typeof text !== 'string') return undefined
  const value = parsedJson(text)
  return isCachedFeed(value) && value.url === url ? value : undefined
}

/** False when it could not be written, which costs a full answer next time and nothing else. */
export function rememberFeed(cache: CollectorCache, cached: CachedFeed): boolean {
  return tried(() => cache.write(nameOf(cached.url), JSON.stringify(cached))) !== failure
}

export function conditionalHeaders({ etag, lastModified }: CachedFeed): Record<string, string> {
  return {
    ...(etag === '' ? {} : { 'if-none-match': etag }),
    ...(lastModified === '' ? {} : { 'if-modified-since': lastModified }),
  }
}

const failure = Symbol('not read or written')

/** A full or broken disk; a bug, and the death of the process in a simulation, pass through. */
function tried<T>(access: () => T): T | typeof failure {
  try {
    return access()
  } catch (error) {
    if (error instanceof DiskError || isClawError(error)) return failure
    throw error
  }
}

function nameOf(url: string): string {
  return `feed-${sha256(url).slice(0, 24)}.json`
}

function isCachedFeed(value: unknown): value is CachedFeed {
  if (!isObject(value) || !isObject(value['feed'])) return false
  const { items, notes, raw, noLink, untitled } = value['feed']
  const texts = [value['url'], value['etag'], value['lastModified']]
  const counts = [raw, noLink, untitled]
  return (
    texts.every(text => typeof text === 'string') &&
    counts.every(count => typeof count === 'number') &&
    Array.isArray(notes) &&
    Array.isArray(items) &&
    items.every(isFeedItem)
  )
}

function isFeedItem(value: unknown): value is FeedItem {
  if (!isObject(value)) return false
  const { title, link, summary, hash, published, authors, categories } = value
  return (
    [title, link, summary, hash].every(text => typeof text === 'string') &&
    (published === undefined || typeof published === 'number') &&
    Array.isArray(authors) &&
    Array.isArray(categories)
  )
}
