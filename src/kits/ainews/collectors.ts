import type { Collector } from '../../agent/collector.ts'

/** The heads only: what does the work is loaded when a job asks for it. */
export const ainewsCollectors: Collector[] = [
  {
    name: 'feeds.collect',
    description: 'Items of a list of RSS, Atom, RDF and JSON feeds, deduplicated and ranked by interest.',
    collect: async (options, context) => (await import('./feeds-collect.ts')).collectFeeds(options, context),
  },
  {
    name: 'arxiv.search',
    description: 'New papers from arXiv for a list of queries, one request after another.',
    collect: async (options, context) => (await import('./arxiv-search.ts')).searchArxiv(options, context),
  },
  {
    name: 'github.trending',
    description: 'Repositories on the GitHub trending page of the day, week or month.',
    collect: async (options, context) =>
      (await import('./github-trending.ts')).collectTrending(options, context),
  },
  {
    name: 'hn.top',
    description: 'Top stories of Hacker News.',
    collect: async (options, context) => (await import('./hn-top.ts')).collectTopStories(options, context),
  },
]
