import type { CollectContext } from '../../agent/collector.ts'
import {
  duration,
  filledText,
  flag,
  listOf,
  objectOf,
  oneOf,
  optional,
  text,
  wholeIn,
} from '../../core/decode.ts'
import type { EvidenceDraft, GatherResult, SourceReport } from '../../core/evidence.ts'
import { canonicalUrl } from '../../core/canonical-url.ts'
import { interestScore, isAboutAi, starsOf } from '../../core/interest.ts'
import { type Millis, toIso } from '../../core/millis.ts'
import { decodeBytes } from '../../core/text-encoding.ts'
import { sha256 } from '../../world/hash.ts'
import { decodeOptions } from './collector-options.ts'
import type { Page } from './fetch-page.ts'
import { openList } from './open-list.ts'
import { defaultMaxBytes, readSource } from './read-source.ts'
import type { Source } from './source-list.ts'
import { readTrendingPage, type TrendingRow } from './trending-page.ts'

const trendingOptions = objectOf({
  /** As in the page's address, e.g. `python`; the empty one is the page of all languages. */
  languages: optional(listOf(text), ['']),
  since: optional(oneOf(['daily', 'weekly', 'monthly']), 'daily'),
  aiOnly: optional(flag, false),
  limit: optional(wholeIn(1, 200), 15),
  timeout: optional(duration, 15_000),
  /** Saved pages, used unless the run is live. */
  list: optional(filledText, undefined),
  endpoint: optional(filledText, 'https://github.com/trending'),
})

type TrendingOptions = ReturnType<typeof trendingOptions>

interface PageRows {
  report: SourceReport
  rows: TrendingRow[]
}

const liveName = 'GitHub trending'

/** `github.trending` */
export async function collectTrending(
  raw: Record<string, unknown>,
  context: CollectContext,
): Promise<GatherResult> {
  const options = decodeOptions('github.trending', trendingOptions, raw)
  const list =
    options.list === undefined || context.live
      ? undefined
      : await openList(options.list, ['html', 'htm'], context)
  const pages: PageRows[] = []
  for (const source of list?.sources ?? options.languages.map(language => sourceOf(language, options))) {
    const limits = { timeoutMs: options.timeout, maxBytes: defaultMaxBytes, headers: { accept: 'text/html' } }
    pages.push(rowsOf(source, await readSource(source, limits, context)))
    const { name, items } = pages.at(-1)!.report
    context.progress(`${name}: ${items} repositories`)
  }
  const now = context.world.clock.now()
  const drafts = new Map<string, EvidenceDraft>()
  for (const { report, rows } of pages) {
    for (const row of rows.filter(
      ({ name, description }) => !options.aiOnly || isAboutAi(`${name} ${description}`),
    )) {
      const source = list ? report.name : liveName
      if (!drafts.has(row.url)) drafts.set(row.url, draftOf(row, { source, period: options.since, now }))
    }
  }
  const items = [...drafts.values()].slice(0, options.limit)
  const sources = pages.map(({ report }) => report)
  const failedSources = sources.filter(({ state }) => state === 'failed').length
  const counts = {
    sources: sources.length,
    failedSources,
    raw: pages.flatMap(page => page.rows).length,
    items: items.length,
  }
  return { items, sources, ready: items.length > 0, notes: list?.notes ?? [], counts }
}

function sourceOf(language: string, { endpoint, since }: TrendingOptions): Source {
  const path = language === '' ? '' : `/${encodeURIComponent(language.toLowerCase())}`
  const name = `${liveName}${language === '' ? '' : ` ${language}`} (${since})`
  return { name, url: `${endpoint}${path}?since=${since}`, category: 'github', enabled: true, reason: '' }
}

function rowsOf({ name, url }: Source, page: Page): PageRows {
  const failed = (why: string): PageRows => ({
    report: { name, url, state: 'failed', items: 0, why },
    rows: [],
  })
  if (page.kind === 'failed') return failed(page.why)
  if (page.kind === 'not-modified') return failed('HTTP 304 to a plain question')
  const { text: html } = decodeBytes(page.bytes, page.contentType)
  const read = readTrendingPage(html)
  switch (read.kind) {
    case 'rows':
      return { report: { name, url, state: 'ok', items: read.rows.length }, rows: read.rows }
    case 'none':
      return { report: { name, url, state: 'empty', items: 0 }, rows: [] }
    case 'unknown-layout':
      return failed(html.trim() === '' ? 'an empty page' : 'layout not recognised')
  }
}

interface DraftFrame {
  source: string
  period: string
  now: Millis
}

function draftOf(row: TrendingRow, { source, period, now }: DraftFrame): EvidenceDraft {
  const { name, url, description, language, stars, forks, periodStars } = row
  const score = interestScore(name.replace(/[/_.-]+/g, ' '), description)
  return {
    url,
    title: name,
    summary: description,
    source,
    category: 'github',
    published: '',
    score,
    fetchedAt: toIso(now),
    hash: sha256(JSON.stringify(row)),
    stars: starsOf(score),
    extra: {
      canonical: canonicalUrl(url) ?? url,
      language,
      repoStars: stars,
      forks,
      periodStars,
      period,
    },
  }
}
