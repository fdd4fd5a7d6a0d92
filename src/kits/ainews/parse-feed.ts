import { feedDate } from '../../core/feed-date.ts'
import { tidyXml, upToLastItem } from '../../core/mend-xml.ts'
import { plainText } from '../../core/plain-text.ts'
import { decodeBytes } from '../../core/text-encoding.ts'
import { sha256 } from '../../world/hash.ts'
import {
  type FeedItem,
  FeedProblem,
  itemsCap,
  type ParsedFeed,
  summaryPoints,
  titlePoints,
} from './feed-item.ts'
import { itemLink } from './item-link.ts'
import { type RawFeed, type RawItem, rawFeedOf } from './raw-feed.ts'

export interface FeedBytes {
  bytes: Uint8Array
  /** HTTP header, empty for a file. */
  contentType: string
  /** Where it came from; relative links resolve against it last. Empty for a file. */
  url: string
}

/** RSS, Atom, RDF or JSON Feed in any encoding. Throws `FeedProblem` for what is none of them. */
export async function parseFeed({ bytes, contentType, url }: FeedBytes): Promise<ParsedFeed> {
  const { text, encoding, isGuess } = decodeBytes(bytes, contentType)
  const notes = isGuess ? [`its encoding is not named or wrong, read as ${encoding}`] : []
  const feed = await readFeed(text, notes)
  const parsed: ParsedFeed = { items: [], raw: feed.items.length, noLink: 0, untitled: 0, notes }
  if (feed.items.length > itemsCap)
    notes.push(`only the first ${itemsCap} of ${feed.items.length} entries are read`)
  for (const raw of feed.items.slice(0, itemsCap)) {
    const link = itemLink(raw, [raw.base, feed.base, feed.link, url])
    const [title, summary] = [plainText(raw.title, titlePoints), plainText(raw.summary, summaryPoints)]
    if (link === undefined) parsed.noLink++
    else if (title === '' && summary === '') parsed.untitled++
    else parsed.items.push(itemOf(raw, { link, title: title || plainText(summary, 80), summary }))
  }
  return parsed
}

function itemOf(raw: RawItem, seen: Pick<FeedItem, 'link' | 'title' | 'summary'>): FeedItem {
  return {
    ...seen,
    published: raw.dates.map(feedDate).find(at => at !== undefined),
    hash: sha256(JSON.stringify(raw.whole)),
    authors: raw.authors.map(name => plainText(name, 80)).filter(name => name !== ''),
    categories: raw.categories.map(name => plainText(name, 80)).filter(name => name !== ''),
  }
}

/** As it is, then tidied, then up to the last whole item. */
async function readFeed(text: string, notes: string[]): Promise<RawFeed> {
  const head = text
    .slice(0, 2000)
    .replace(/<!--[\s\S]*?-->/g, '')
    .trimStart()
  refuseOthers(text, head)
  if (/^[{[]/.test(head)) return rawFeedOf(text)
  const tidy = tidyXml(text)
  try {
    return await rawFeedOf(tidy)
  } catch (error) {
    if (!(error instanceof FeedProblem)) throw error
    const mended = upToLastItem(tidy)
    if (mended === undefined) throw error
    const feed = await rawFeedOf(mended)
    if (feed.items.length === 0) throw error
    notes.push(`${error.message}; read up to its last whole item`)
    return feed
  }
}

function refuseOthers(text: string, head: string): void {
  if (text.trim() === '') throw new FeedProblem('empty')
  if (/^(?:<\?xml[^>]*>\s*)?(?:<!doctype html|<html[\s>])/i.test(head)) {
    throw new FeedProblem('an HTML page, not a feed')
  }
  if (/^(?:<\?xml[^>]*>\s*)?<opml[\s>]/i.test(head))
    throw new FeedProblem('an OPML list of feeds, not a feed')
  if (!/^[<{[]/.test(text.slice(text.search(/[<{[]/)))) throw new FeedProblem('plain text, not a feed')
}
