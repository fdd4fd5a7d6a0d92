import type { parseFeed as ParseAny, parseJsonFeed as ParseJson } from 'feedsmith'
import { isObject } from '../../core/json-schema.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import { FeedProblem } from './feed-item.ts'

/** What feeds of all formats have in common; still raw: markup, odd dates, relative links. */
export interface RawFeed {
  /** The page it belongs to. */
  link: string
  /** xml:base */
  base: string
  items: RawItem[]
}

export interface RawItem {
  title: string
  summary: string
  /** In order of preference. */
  links: string[]
  /** Addresses that only may be links. */
  ids: string[]
  base: string
  dates: string[]
  authors: string[]
  categories: string[]
  /** As the parser gave it. */
  whole: unknown
}

type AnyFeed = ReturnType<typeof ParseAny<string>>
type FeedOf<F extends AnyFeed['format']> = Extract<AnyFeed, { format: F }>['feed']

/** Throws `FeedProblem`. */
export async function rawFeedOf(text: string): Promise<RawFeed> {
  const parser = await import('feedsmith')
  if (/^\s*[{[]/.test(text)) return jsonFeed(jsonFeedOf(text, parser.parseJsonFeed))
  const parsed = asProblem(() => parser.parseFeed<string>(text))
  switch (parsed.format) {
    case 'rss':
      return rssFeed(parsed.feed)
    case 'atom':
      return atomFeed(parsed.feed)
    case 'rdf':
      return rdfFeed(parsed.feed)
    case 'json':
      return jsonFeed(parsed.feed)
  }
}

/** Feeds in the wild also call themselves version 1, 1.0 or 1.1. */
function jsonFeedOf(text: string, parse: typeof ParseJson): FeedOf<'json'> {
  const value = parsedJson(text)
  if (value === undefined) throw new FeedProblem('malformed JSON')
  const version = isObject(value) ? String(value['version'] ?? '') : ''
  const isVersion = /jsonfeed\.org\/version|^1(?:\.[01])?$/.test(version)
  if (!isObject(value) || !Array.isArray(value['items']) || !isVersion) {
    throw new FeedProblem('JSON, but not a JSON Feed')
  }
  return asProblem(() => parse<string>({ ...value, version: 'https://jsonfeed.org/version/1.1' }))
}

function asProblem<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    throw new FeedProblem(reasonOf(error), { cause: error })
  }
}

function reasonOf(error: Error): string {
  if (error.name === 'DetectError') return 'not a feed of any known format'
  const cause = error.cause instanceof Error ? `: ${error.cause.message.split('\n')[0]!.slice(0, 120)}` : ''
  return error.name === 'ParseError' ? 'a feed without content' : `malformed${cause}`
}

function rssFeed(feed: FeedOf<'rss'>): RawFeed {
  const items = (feed.items ?? []).map(item => ({
    title: first(item.title, item.dc?.titles?.[0], item.media?.title?.value),
    summary: first(
      item.description,
      item.content?.encoded,
      item.itunes?.summary,
      item.media?.description?.value,
    ),
    links: texts([item.link, ...alternates(item.atom?.links)]),
    ids: texts([item.guid?.isPermaLink === false ? undefined : item.guid?.value]),
    base: item.xml?.base ?? '',
    dates: texts([item.pubDate, ...(item.dc?.dates ?? []), item.atom?.published, item.atom?.updated]),
    authors: texts([...(item.dc?.creators ?? []), ...(item.authors ?? []).map(author => author.name)]),
    categories: texts((item.categories ?? []).map(category => category.name)),
    whole: item,
  }))
  return { link: feed.link ?? '', base: feed.xml?.base ?? '', items }
}

function atomFeed(feed: FeedOf<'atom'>): RawFeed {
  const items = (feed.entries ?? []).map(entry => ({
    title: first(entry.title?.value),
    summary: first(entry.summary?.value, entry.content?.value, entry.media?.description?.value),
    links: alternates(entry.links),
    ids: texts([entry.id]),
    base: entry.xml?.base ?? '',
    dates: texts([entry.published, entry.updated]),
    authors: texts((entry.authors ?? []).map(author => author.name)),
    categories: texts((entry.categories ?? []).map(category => category.term ?? category.label)),
    whole: entry,
  }))
  return { link: alternates(feed.links)[0] ?? '', base: feed.xml?.base ?? '', items }
}

function rdfFeed(feed: FeedOf<'rdf'>): RawFeed {
  const items = (feed.items ?? []).map(item => ({
    title: first(item.title, item.dc?.titles?.[0]),
    summary: first(item.description, item.content?.encoded, item.dc?.descriptions?.[0]),
    links: texts([item.link]),
    ids: texts([item.rdf?.about]),
    base: item.xml?.base ?? '',
    dates: texts([...(item.dc?.dates ?? []), item.atom?.updated]),
    authors: texts(item.dc?.creators ?? []),
    categories: texts(item.dc?.subjects ?? []),
    whole: item,
  }))
  return { link: feed.link ?? '', base: feed.xml?.base ?? '', items }
}

function jsonFeed(feed: FeedOf<'json'>): RawFeed {
  const items = (feed.items ?? []).map(item => ({
    title: first(item.title),
    summary: first(item.summary, escaped(item.content_text), item.content_html),
    links: texts([item.url, item.external_url]),
    ids: texts([item.id]),
    base: '',
    dates: texts([item.date_published, item.date_modified]),
    authors: texts((item.authors ?? []).map(author => author.name)),
    categories: texts(item.tags ?? []),
    whole: item,
  }))
  return { link: feed.home_page_url ?? feed.feed_url ?? '', base: '', items }
}

interface AtomLink {
  href?: string
  rel?: string
  type?: string
}

/** The page before other forms of it; never the feed itself, an attachment or an editing address. */
function alternates(links: readonly AtomLink[] | undefined): string[] {
  const pages = (links ?? []).filter(({ rel = 'alternate' }) => rel === '' || rel === 'alternate')
  const html = pages.filter(({ type }) => type === undefined || /html/i.test(type))
  return texts([...html, ...pages].map(({ href }) => href))
}

/** Plain text among markup. */
function escaped(text: string | undefined): string | undefined {
  return text?.replace(/&/g, '&amp;').replace(/</g, '&lt;')
}

function first(...values: (string | undefined)[]): string {
  return values.find(value => typeof value === 'string' && value.trim() !== '') ?? ''
}

function texts(values: readonly (string | undefined)[]): string[] {
  return values.filter((value): value is string => typeof value === 'string' && value.trim() !== '')
}
