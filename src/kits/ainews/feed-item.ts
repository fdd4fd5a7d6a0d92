import type { Millis } from '../../core/millis.ts'

/** One entry of a feed of any format, cleaned; what the cache keeps. */
export interface FeedItem {
  title: string
  /** An absolute http(s) address: the feed's own where it is one, else resolved against the feed's. */
  link: string
  summary: string
  /** Undefined when the feed gave no date that can be read. */
  published: Millis | undefined
  /** SHA-256 of the raw item. */
  hash: string
  authors: string[]
  categories: string[]
}

export interface ParsedFeed {
  items: FeedItem[]
  /** Items in the feed, also those left out. */
  raw: number
  noLink: number
  untitled: number
  /** What had to be mended or guessed, for people. */
  notes: string[]
}

/** A text that is not a feed; `message` is one line. */
export class FeedProblem extends Error {}

export const summaryPoints = 300
export const titlePoints = 300
/** More entries in one feed are an archive, not news. */
export const itemsCap = 1000
