import { canonicalUrl } from '../../core/canonical-url.ts'
import type { EvidenceDraft } from '../../core/evidence.ts'
import { interestScore, starsOf } from '../../core/interest.ts'
import { dayMs, type Millis, toIso } from '../../core/millis.ts'
import { isPushed, type Pushed } from '../../core/pushed.ts'

/** One gathered thing before anything was left out. */
export interface Candidate {
  title: string
  /** As the input has it. */
  link: string
  summary: string
  published: Millis | undefined
  hash: string
  source: string
  category: string
  /** False where its age says nothing, so that the day limit does not count. */
  isAged: boolean
  extra: Record<string, unknown>
}

export interface PickRules {
  fetchedAt: Millis
  /** The latest moment that is not the future. */
  asOf: Millis
  /** Nothing older than this many days before `asOf`; undefined = no limit. */
  days: number | undefined
  pushed: Pushed
  /** At most so many of one source. */
  perSource: number
  max: number
}

export interface Picked {
  items: EvidenceDraft[]
  counts: Record<string, number>
}

/**
 * Drops what is old, was pushed lately or is there twice (the first in the order
 * of the sources stays), then takes the best by interest, newer first among equals.
 */
export function pickItems(candidates: readonly Candidate[], rules: PickRules): Picked {
  const counts = { candidates: candidates.length, old: 0, future: 0, pushed: 0, duplicate: 0 }
  const drafts = new Map<string, EvidenceDraft>()
  for (const candidate of candidates) {
    const key = canonicalUrl(candidate.link) ?? candidate.link
    const earlier = drafts.get(key)
    if (isOld(candidate, rules)) counts.old++
    else if (isPushed(rules.pushed, key, rules.fetchedAt)) counts.pushed++
    else if (earlier) {
      counts.duplicate++
      noteSource(earlier, candidate.source)
    } else {
      if (isFuture(candidate, rules)) counts.future++
      drafts.set(key, draftOf(candidate, key, rules))
    }
  }
  const capped = capSources([...drafts.values()].sort(byInterest), rules.perSource)
  const items = capped.slice(0, rules.max)
  const dropped = { overSource: drafts.size - capped.length, overMax: capped.length - items.length }
  return { items, counts: { ...counts, ...dropped, items: items.length } }
}

/** What has no date stays. */
function isOld(candidate: Candidate, { days, asOf }: PickRules): boolean {
  if (days === undefined || candidate.published === undefined || !candidate.isAged) return false
  return candidate.published < asOf - days * dayMs
}

/** An hour of grace for clocks that are a little wrong. */
function isFuture({ published }: Candidate, { asOf }: PickRules): boolean {
  return published !== undefined && published > asOf + dayMs / 24
}

/** A date in the future counts as `asOf`, so that it cannot lead the list for ever; what was stated is kept beside it. */
function draftOf(candidate: Candidate, canonical: string, rules: PickRules): EvidenceDraft {
  const { title, link, summary, source, category, hash, published } = candidate
  const score = interestScore(title, summary)
  const stated = isFuture(candidate, rules) ? { statedDate: toIso(published!) } : {}
  return {
    url: link,
    title,
    summary,
    source,
    category,
    hash,
    score,
    published: published === undefined ? '' : toIso(Math.min(published, rules.asOf)),
    fetchedAt: toIso(rules.fetchedAt),
    stars: starsOf(score),
    extra: { canonical, ...candidate.extra, ...stated },
  }
}

function noteSource(draft: EvidenceDraft, source: string): void {
  const known = draft.extra?.['alsoIn']
  const others = Array.isArray(known) ? known : []
  if (source === draft.source || others.includes(source)) return
  draft.extra = { ...draft.extra, alsoIn: [...others, source] }
}

function byInterest(a: EvidenceDraft, b: EvidenceDraft): number {
  return (
    b.score - a.score ||
    compare(b.published, a.published) ||
    compare(a.title, b.title) ||
    compare(a.url, b.url)
  )
}

/** By code units, which is the same on every host. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function capSources(drafts: readonly EvidenceDraft[], perSource: number): EvidenceDraft[] {
  const taken = new Map<string, number>()
  return drafts.filter(({ source }) => {
    const count = (taken.get(source) ?? 0) + 1
    taken.set(source, count)
    return count <= perSource
  })
}
