import type { CollectContext } from '../../agent/collector.ts'
import { duration, filledText, flag, objectOf, optional, wholeIn } from '../../core/decode.ts'
import type { GatherResult, SourceReport } from '../../core/evidence.ts'
import { isObject } from '../../core/json-schema.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import { decodeBytes } from '../../core/text-encoding.ts'
import { sha256 } from '../../world/hash.ts'
import { decodeOptions } from './collector-options.ts'
import type { Page } from './fetch-page.ts'
import { type Story, storiesOfPage, storyOf } from './hn-story.ts'
import { inParallel } from './in-parallel.ts'
import { openList } from './open-list.ts'
import { type Candidate, pickItems } from './pick-items.ts'
import { peekPushed } from './pushed-list.ts'
import { defaultMaxBytes, readSource } from './read-source.ts'
import type { Source } from './source-list.ts'

const topOptions = objectOf({
  limit: optional(wholeIn(1, 200), 30),
  minPoints: optional(wholeIn(0, 100_000), 20),
  timeout: optional(duration, 10_000),
  workers: optional(wholeIn(1, 32), 8),
  /** Saved items (JSON) or pages (HTML), used unless the run is live. */
  list: optional(filledText, undefined),
  endpoint: optional(filledText, 'https://hacker-news.firebaseio.com/v0'),
  repeat: optional(flag, undefined),
})

type TopOptions = ReturnType<typeof topOptions>

interface Answer {
  report: SourceReport
  stories: Story[]
  notes: string[]
}

/** `hn.top` */
export async function collectTopStories(
  raw: Record<string, unknown>,
  context: CollectContext,
): Promise<GatherResult> {
  const options = decodeOptions('hn.top', topOptions, raw)
  const list =
    options.list === undefined || context.live
      ? undefined
      : await openList(options.list, ['json', 'html', 'htm'], context)
  const answers = list ? await readSamples(list.sources, options, context) : [await askTop(options, context)]
  const now = context.world.clock.now()
  const { pushed, damage } = peekPushed(context.cache)
  const stories = answers.flatMap(answer => answer.stories)
  const candidates = answers.flatMap(answer => candidatesOf(answer, options))
  const { items, counts } = pickItems(candidates, {
    fetchedAt: now,
    asOf: list?.asOf ?? now,
    days: undefined,
    pushed: (options.repeat ?? list?.asOf !== undefined) ? new Map() : pushed,
    perSource: options.limit,
    max: options.limit,
  })
  const notes = [...(list?.notes ?? []), ...answers.flatMap(answer => answer.notes)]
  if (damage !== undefined) notes.push(`the list of pushed links is damaged: ${damage}`)
  const sources = answers.map(({ report }) => report)
  const failedSources = sources.filter(({ state }) => state === 'failed').length
  const allCounts = { sources: sources.length, failedSources, raw: stories.length, ...counts }
  return { items, sources, ready: items.length > 0, notes, counts: allCounts }
}

async function readSamples(
  sources: readonly Source[],
  options: TopOptions,
  context: CollectContext,
): Promise<Answer[]> {
  const limits = { timeoutMs: options.timeout, maxBytes: defaultMaxBytes }
  return inParallel(sources, options.workers, async source => {
    const page = await readSource(source, limits, context)
    if (page.kind !== 'answered') return failed(source, page.kind === 'failed' ? page.why : 'HTTP 304')
    const { text } = decodeBytes(page.bytes, page.contentType)
    if (/^\s*</.test(text)) {
      const stories = storiesOfPage(text)
      return stories.length > 0 ? answered(source, stories) : failed(source, 'layout not recognised')
    }
    const value = parsedJson(text)
    if (value === undefined) return failed(source, 'malformed JSON')
    const members = Array.isArray(value) ? value : [value]
    if (!members.every(isObject)) return failed(source, 'not a story or a list of stories')
    return answered(
      source,
      members.map(storyOf).filter(story => story !== undefined),
    )
  })
}

/** The list, then its items, a few at a time; an item that fails is counted, all of them failing fails the source. */
async function askTop(options: TopOptions, context: CollectContext): Promise<Answer> {
  const name = 'Hacker News'
  const source = { name, url: `${options.endpoint}/topstories.json` }
  const limits = { timeoutMs: options.timeout, maxBytes: 2 ** 20 }
  const page = await readSource(source, limits, context)
  const ids = idsOf(page)
  if (typeof ids === 'string') return failed(source, ids)
  // Jobs and low scores fall out, so somewhat more are asked for than are wanted.
  const wanted = ids.slice(0, Math.ceil(options.limit * 1.5) + 5)
  let lost = 0
  const values = await inParallel(wanted, options.workers, async id => {
    const item = await readSource({ url: `${options.endpoint}/item/${id}.json` }, limits, context)
    const value = item.kind === 'answered' ? parsedJson(decodeBytes(item.bytes).text) : undefined
    if (value === undefined) lost++
    return value
  })
  context.progress(`${name}: ${wanted.length - lost} of ${wanted.length} items`)
  if (wanted.length > 0 && lost === wanted.length)
    return failed(source, `none of ${lost} items could be read`)
  const answer = answered(
    source,
    values.map(storyOf).filter(story => story !== undefined),
  )
  return lost === 0
    ? answer
    : { ...answer, notes: [`${name}: ${lost} of ${wanted.length} items could not be read`] }
}

function idsOf(page: Page): number[] | string {
  if (page.kind !== 'answered') return page.kind === 'failed' ? page.why : 'HTTP 304 to a plain question'
  const value = parsedJson(decodeBytes(page.bytes).text)
  if (!Array.isArray(value)) return 'not a list of stories'
  return value.filter(id => Number.isSafeInteger(id))
}

function answered({ name, url }: Pick<Source, 'name' | 'url'>, stories: Story[]): Answer {
  const state = stories.length === 0 ? 'empty' : 'ok'
  return { report: { name, url, state, items: stories.length }, stories, notes: [] }
}

function failed({ name, url }: Pick<Source, 'name' | 'url'>, why: string): Answer {
  return { report: { name, url, state: 'failed', items: 0, why }, stories: [], notes: [] }
}

function candidatesOf({ report, stories }: Answer, { minPoints }: TopOptions): Candidate[] {
  return stories.filter(({ points }) => points >= minPoints).map(story => candidateOf(report.name, story))
}

function candidateOf(source: string, story: Story): Candidate {
  const { title, link, text, published, points, comments, discussion } = story
  return {
    title,
    link,
    published,
    source,
    category: 'hn',
    isAged: false,
    summary: text,
    hash: sha256(JSON.stringify(story)),
    extra: { points, comments, discussion },
  }
}
