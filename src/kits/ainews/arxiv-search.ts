import type { CollectContext } from '../../agent/collector.ts'
import { duration, filledText, flag, listOf, objectOf, optional, wholeIn } from '../../core/decode.ts'
import type { GatherResult, SourceReport } from '../../core/evidence.ts'
import { arxivId } from '../../core/canonical-url.ts'
import { secondMs } from '../../core/millis.ts'
import { decodeOptions } from './collector-options.ts'
import { FeedProblem, type ParsedFeed } from './feed-item.ts'
import type { Page } from './fetch-page.ts'
import { openList } from './open-list.ts'
import { parseFeed } from './parse-feed.ts'
import { type Candidate, pickItems } from './pick-items.ts'
import { peekPushed } from './pushed-list.ts'
import { defaultMaxBytes, readSource } from './read-source.ts'
import type { Source } from './source-list.ts'

const defaultQueries = [
  'LLM agent',
  'autonomous agent',
  'memory augmented language model',
  'workflow automation AI',
  'retrieval augmented generation',
  'chain of thought reasoning',
  'tool use language model',
  'multi agent system',
  'AI planning',
  'prompt engineering',
  'model context protocol',
]

const arxivOptions = objectOf({
  queries: optional(listOf(filledText), defaultQueries),
  categories: optional(listOf(filledText), ['cs.AI', 'cs.CL', 'cs.LG', 'cs.MA']),
  max: optional(wholeIn(1, 500), 20),
  /** Asked of the API for each query. */
  perQuery: optional(wholeIn(1, 200), 20),
  days: optional(wholeIn(1, 3650), undefined),
  timeout: optional(duration, 15_000),
  /** Recorded answers, used unless the run is live. */
  list: optional(filledText, undefined),
  endpoint: optional(filledText, 'https://export.arxiv.org/api/query'),
  repeat: optional(flag, undefined),
})

type ArxivOptions = ReturnType<typeof arxivOptions>

/** What arXiv asks of programs: one call at a time, three seconds between two. */
const pauseMs = 3 * secondMs
/** A longer wish than this ends the search; without a wish this is how long a refused call rests. */
const patienceMs = 60 * secondMs
const defaultRestMs = 20 * secondMs

interface Answer {
  report: SourceReport
  papers: Candidate[]
}

/** `arxiv.search` */
export async function searchArxiv(
  raw: Record<string, unknown>,
  context: CollectContext,
): Promise<GatherResult> {
  const options = decodeOptions('arxiv.search', arxivOptions, raw)
  const list =
    options.list === undefined || context.live
      ? undefined
      : await openList(options.list, ['atom', 'xml'], context)
  const answers = list ? await readSamples(list.sources, options, context) : await askAll(options, context)
  const now = context.world.clock.now()
  const { pushed, damage } = peekPushed(context.cache)
  const { items, counts } = pickItems(
    answers.flatMap(({ papers }) => papers),
    {
      fetchedAt: now,
      asOf: list?.asOf ?? now,
      days: options.days,
      pushed: (options.repeat ?? list?.asOf !== undefined) ? new Map() : pushed,
      perSource: options.max,
      max: options.max,
    },
  )
  const notes = [...(list?.notes ?? [])]
  if (damage !== undefined) notes.push(`the list of pushed links is damaged: ${damage}`)
  const sources = answers.map(({ report }) => report)
  const failedSources = sources.filter(({ state }) => state === 'failed').length
  const allCounts = { sources: sources.length, failedSources, ...counts }
  return { items, sources, ready: items.length > 0, notes, counts: allCounts }
}

async function readSamples(
  sources: readonly Source[],
  options: ArxivOptions,
  context: CollectContext,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const source of sources) {
    const limits = { timeoutMs: options.timeout, maxBytes: defaultMaxBytes }
    answers.push(await answerOf(source, await readSource(source, limits, context)))
  }
  return answers
}

/** After a refusal that lasts, the queries that are left are not asked, and say so. */
async function askAll(options: ArxivOptions, context: CollectContext): Promise<Answer[]> {
  const answers: Answer[] = []
  let refusal: string | undefined
  for (const query of options.queries) {
    const source = sourceOf(query, options)
    if (refusal !== undefined) {
      answers.push(failed(source, `not asked: an earlier call ended with ${refusal}`))
      continue
    }
    if (answers.length > 0) await context.world.clock.sleep(pauseMs, context.signal)
    const page = await askPatiently(source, options, context)
    answers.push(await answerOf(source, page))
    if (page.kind === 'failed' && page.busy) refusal = page.why
    context.progress(`arXiv ${query}: ${answers.at(-1)!.report.items} papers`)
  }
  return answers
}

/** Once more after the rest that a busy server asks for, when that is short. */
async function askPatiently(source: Source, options: ArxivOptions, context: CollectContext): Promise<Page> {
  const limits = { timeoutMs: options.timeout, maxBytes: defaultMaxBytes }
  const page = await readSource(source, limits, context)
  if (page.kind !== 'failed' || !page.busy) return page
  const restMs = Math.max(pauseMs, page.busy.retryAfterMs ?? defaultRestMs)
  if (restMs > patienceMs) return page
  await context.world.clock.sleep(restMs, context.signal)
  return readSource(source, limits, context)
}

function sourceOf(query: string, { endpoint, categories, perQuery }: ArxivOptions): Source {
  const inCategories = categories.map(category => `cat:${category}`).join(' OR ')
  const search = `all:${query}${inCategories === '' ? '' : ` AND (${inCategories})`}`
  const parameters = new URLSearchParams({
    search_query: search,
    sortBy: 'submittedDate',
    sortOrder: 'descending',
    max_results: String(perQuery),
  })
  const name = `arXiv: ${query}`
  return { name, url: `${endpoint}?${parameters}`, category: 'papers', enabled: true, reason: '' }
}

async function answerOf(source: Source, page: Page): Promise<Answer> {
  if (page.kind === 'failed') return failed(source, page.why)
  if (page.kind === 'not-modified') return failed(source, 'HTTP 304 to a plain question')
  try {
    const feed = await parseFeed({ ...page, url: '' })
    const problem = feed.items.find(({ link }) => /\/api\/errors/.test(link))
    if (problem) return failed(source, `arXiv says: ${problem.summary || problem.title}`)
    const papers = papersOf(source, feed)
    const state = papers.length === 0 ? 'empty' : 'ok'
    return { report: { name: source.name, url: source.url, state, items: papers.length }, papers }
  } catch (error) {
    if (error instanceof FeedProblem) return failed(source, error.message)
    throw error
  }
}

/** All queries ask one place, so that is the source and the query a detail; samples keep their own name. */
function papersOf(source: Source, feed: ParsedFeed): Candidate[] {
  const query = /^arXiv: (.+)$/.exec(source.name)?.[1]
  return feed.items.map(({ title, link, summary, published, hash, authors, categories }) => ({
    title,
    link,
    summary,
    published,
    hash,
    source: query === undefined ? source.name : 'arXiv',
    category: 'papers',
    isAged: true,
    extra: {
      authors: authors.slice(0, 5),
      categories,
      ...(query === undefined ? {} : { query }),
      ...(arxivId(link) === undefined ? {} : { arxivId: versionedId(link) }),
    },
  }))
}

function versionedId(link: string): string {
  return /(?:abs|pdf|html)\/(.+?)(?:\.pdf)?$/.exec(link)?.[1] ?? ''
}

function failed({ name, url }: Source, why: string): Answer {
  return { report: { name, url, state: 'failed', items: 0, why }, papers: [] }
}
