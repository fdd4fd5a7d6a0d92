import type { CollectContext } from '../../agent/collector.ts'
import { duration, filledText, flag, objectOf, optional, wholeIn } from '../../core/decode.ts'
import type { GatherResult, SourceReport } from '../../core/evidence.ts'
import { decodeOptions } from './collector-options.ts'
import { cachedFeed, conditionalHeaders, rememberFeed } from './feed-cache.ts'
import { FeedProblem, type ParsedFeed } from './feed-item.ts'
import { inParallel } from './in-parallel.ts'
import { localPath } from './local-source.ts'
import { openList } from './open-list.ts'
import { parseFeed } from './parse-feed.ts'
import { type Candidate, pickItems } from './pick-items.ts'
import { peekPushed } from './pushed-list.ts'
import { defaultMaxBytes, readSource } from './read-source.ts'
import type { Source } from './source-list.ts'

const feedsOptions = objectOf({
  /** A list in the workspace, or one `file:` or `https:` address. */
  list: filledText,
  /** The list for `--live`. */
  live: optional(filledText, undefined),
  days: optional(wholeIn(1, 3650), 2),
  max: optional(wholeIn(1, 1000), 45),
  /** At least a third of `max` may come from one source, whatever this says. */
  perSource: optional(wholeIn(1, 1000), 3),
  timeout: optional(duration, 10_000),
  workers: optional(wholeIn(1, 64), 8),
  maxBytes: optional(wholeIn(1024, 256 * 2 ** 20), defaultMaxBytes),
  /** Show links again that were pushed in the last seven days; true by itself for dated samples. */
  repeat: optional(flag, undefined),
})

type FeedsOptions = ReturnType<typeof feedsOptions>

const feedEndings = ['xml', 'rss', 'atom', 'rdf', 'json', 'jsonfeed', 'feed']

interface Outcome {
  source: Source
  report: SourceReport
  feed: ParsedFeed | undefined
}

/** `feeds.collect` */
export async function collectFeeds(
  raw: Record<string, unknown>,
  context: CollectContext,
): Promise<GatherResult> {
  const options = decodeOptions('feeds.collect', feedsOptions, raw)
  const list = await openList((context.live && options.live) || options.list, feedEndings, context)
  const outcomes = await inParallel(list.sources, options.workers, source =>
    readFeed(source, options, context),
  )
  const now = context.world.clock.now()
  const { pushed, damage } = peekPushed(context.cache)
  const repeats = options.repeat ?? list.asOf !== undefined
  const { items, counts } = pickItems(
    outcomes.flatMap(outcome => candidatesOf(outcome, list.asOf !== undefined)),
    {
      fetchedAt: now,
      asOf: list.asOf ?? now,
      days: options.days,
      pushed: repeats ? new Map() : pushed,
      perSource: Math.max(options.perSource, Math.floor(options.max / 3)),
      max: options.max,
    },
  )
  const notes = [...list.notes, ...outcomes.flatMap(notesOf)]
  if (damage !== undefined) notes.push(`the list of pushed links is damaged: ${damage}`)
  if (counts['future']) notes.push(`${counts['future']} items are dated in the future and count as of now`)
  notes.push(...leftOutNote(counts, options.days))
  const sources = outcomes.map(({ report }) => report)
  return { items, sources, ready: items.length > 0, notes, counts: { ...countsOf(outcomes), ...counts } }
}

async function readFeed(source: Source, options: FeedsOptions, context: CollectContext): Promise<Outcome> {
  const outcome = await readAnyFeed(source, options, context)
  const { state, items } = outcome.report
  if (state !== 'failed') context.progress(`${source.name}: ${items} items`)
  return outcome
}

async function readAnyFeed(source: Source, options: FeedsOptions, context: CollectContext): Promise<Outcome> {
  const known = isLocal(source) ? undefined : cachedFeed(context.cache, source.url)
  const accept =
    'application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, */*;q=0.5'
  const headers = { accept, ...(known ? conditionalHeaders(known) : {}) }
  const page = await readSource(
    source,
    { timeoutMs: options.timeout, maxBytes: options.maxBytes, headers },
    context,
  )
  if (page.kind === 'failed') return failed(source, page.why)
  if (page.kind === 'not-modified') {
    return known
      ? succeeded(source, known.feed, 'not-modified')
      : failed(source, 'HTTP 304 to a plain question')
  }
  try {
    const feed = await parseFeed(page)
    const { etag, lastModified } = page
    if (etag !== '' || lastModified !== '') {
      const isKept = rememberFeed(context.cache, { url: source.url, etag, lastModified, feed })
      if (!isKept) context.progress(`${source.name}: could not be remembered for the next run`)
    }
    return succeeded(source, feed, feed.items.length === 0 ? 'empty' : 'ok')
  } catch (error) {
    if (error instanceof FeedProblem) return failed(source, error.message)
    throw error
  }
}

function failed(source: Source, why: string): Outcome {
  const { name, url } = source
  return { source, report: { name, url, state: 'failed', items: 0, why }, feed: undefined }
}

function succeeded(source: Source, feed: ParsedFeed, state: SourceReport['state']): Outcome {
  const { name, url } = source
  return { source, report: { name, url, state, items: feed.items.length }, feed }
}

/** Files have no "now" of their own: in a list without a date their age says nothing. */
function candidatesOf({ source, feed }: Outcome, isDated: boolean): Candidate[] {
  const isAged = isDated || !isLocal(source)
  return (feed?.items ?? []).map(({ title, link, summary, published, hash, authors, categories }) => ({
    title,
    link,
    summary,
    published,
    hash,
    source: source.name,
    category: source.category,
    isAged,
    extra: {
      ...(authors.length === 0 ? {} : { authors: authors.slice(0, 5) }),
      ...(categories.length === 0 ? {} : { categories: categories.slice(0, 8) }),
    },
  }))
}

function notesOf({ source, feed }: Outcome): string[] {
  return (feed?.notes ?? []).map(note => `${source.name}: ${note}`)
}

function countsOf(outcomes: readonly Outcome[]): Record<string, number> {
  const sum = (of: (feed: ParsedFeed) => number): number =>
    outcomes.reduce((total, { feed }) => total + (feed ? of(feed) : 0), 0)
  return {
    sources: outcomes.length,
    failedSources: outcomes.filter(({ report }) => report.state === 'failed').length,
    raw: sum(feed => feed.raw),
    noLink: sum(feed => feed.noLink),
    untitled: sum(feed => feed.untitled),
  }
}

function isLocal(source: Source): boolean {
  return localPath(source.url, '/') !== undefined
}

/** What was read and is not in the result, so that a short report explains itself. */
function leftOutNote(counts: Record<string, number>, days: number): string[] {
  const { old = 0, pushed = 0 } = counts
  const parts = [
    ...(old > 0 ? [`${old} older than ${days} days`] : []),
    ...(pushed > 0 ? [`${pushed} told in the last seven days`] : []),
  ]
  return parts.length > 0 ? [`left out: ${parts.join(', ')}`] : []
}
