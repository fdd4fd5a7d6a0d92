import type { CollectContext } from '../../agent/collector.ts'
import type { EvidenceDraft, GatherResult, SourceReport } from '../../core/evidence.ts'
import { type Millis, toIso } from '../../core/millis.ts'
import { sha256 } from '../../world/hash.ts'

/** What an inspection is given: the run's context and the agents that are meant. */
export interface Inspected extends CollectContext {
  agents: readonly string[]
}

/** How much a fact asks for attention; an alert begins its title with `ALERT:`. */
export type Level = 'fact' | 'problem' | 'alert'

export interface Fact {
  level: Level
  /** Which part of the inspection it belongs to, e.g. `jobs`. */
  category: string
  title: string
  /** One line. */
  text: string
  /** Path in the workspace that shows it. */
  source: string
  /** When that was last written; undefined when it says nothing. */
  at?: Millis | undefined
}

const scores: Readonly<Record<Level, number>> = { fact: 0, problem: 6, alert: 9 }
const stars: Readonly<Record<Level, number>> = { fact: 1, problem: 3, alert: 5 }

/** Facts have no address of their own; their source is a path. */
export function factDraft({ level, category, title, text, source, at }: Fact, now: Millis): EvidenceDraft {
  return {
    url: '',
    title: level === 'alert' ? `ALERT: ${title}` : title,
    summary: text,
    source,
    category,
    published: at === undefined ? '' : toIso(at),
    fetchedAt: toIso(now),
    hash: sha256(`${source}\n${title}\n${text}`),
    score: scores[level],
    stars: stars[level],
  }
}

/** What was looked at, and the facts it gave, those that ask for attention first. */
export function factsResult(
  facts: readonly Fact[],
  sources: readonly SourceReport[],
  now: Millis,
): GatherResult {
  const items = [...facts].sort((a, b) => scores[b.level] - scores[a.level]).map(fact => factDraft(fact, now))
  const failedSources = sources.filter(({ state }) => state === 'failed').length
  return {
    items,
    sources: [...sources],
    ready: items.length > 0,
    notes: [],
    counts: { sources: sources.length, failedSources, items: items.length },
  }
}

export function okSource(path: string, items: number): SourceReport {
  return { name: path, url: path, state: items === 0 ? 'empty' : 'ok', items }
}

export function failedSource(path: string, why: string): SourceReport {
  return { name: path, url: path, state: 'failed', items: 0, why }
}
