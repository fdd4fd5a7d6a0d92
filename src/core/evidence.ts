/** One thing that was gathered before the model was called, with where it came from. */
export interface Evidence {
  /** `e1`, `e2`, ... unique within a run. */
  id: string
  /** The input's own link, so that it can be found there; `extra.canonical` is its key. Empty only for material that has no address (a local file, a tool's table). */
  url: string
  title: string
  /** Plain text, capped by the collector. */
  summary: string
  /** Name of the source as the list names it. */
  source: string
  /** e.g. company, papers, media, github, hn */
  category: string
  /** ISO 8601, or empty when the source gave none that can be read. */
  published: string
  /** ISO 8601 */
  fetchedAt: string
  /** SHA-256 of the raw item. */
  hash: string
  /** Relevance; 0 when nothing matched. */
  score: number
  /** 1 to 5. */
  stars: number
  /** Anything else a collector knows, e.g. {authors, arxivId, todayStars, language}. */
  extra?: Record<string, unknown>
}

export type EvidenceDraft = Omit<Evidence, 'id'>

/** How one source did; every source of a collect is listed, also the failed ones. */
export interface SourceReport {
  name: string
  url: string
  state: 'ok' | 'not-modified' | 'empty' | 'failed'
  items: number
  /** For `failed`: one line. */
  why?: string
}

/** What a collector gives back. It never throws for a source that fails. */
export interface GatherResult {
  items: EvidenceDraft[]
  sources: SourceReport[]
  /** True only when at least one item was gathered: derived from counts, never asserted. */
  ready: boolean
  /** For people and the prompt, e.g. "sample sources, as of 2026-11-28". */
  notes: string[]
  counts: Record<string, number>
}
