import { basename } from 'node:path'
import { type Item, itemsOf } from '../../core/checks/items-of.ts'
import { linksOf } from '../../core/checks/links-of.ts'
import { outline } from '../../core/checks/sections-of.ts'
import type { EvidenceDraft } from '../../core/evidence.ts'
import { withoutAddresses } from '../../core/extract-text.ts'
import { cutAt, tailOf } from '../../core/truncate.ts'
import { toIso } from '../../core/millis.ts'
import { remembered } from '../../core/remembered.ts'
import { sha256 } from '../../world/hash.ts'
import type { FoundFile } from './match-files.ts'

export interface FileEvidenceOptions {
  fetchedAt: number
  /** Of one file; what is over is left out and told. */
  maxChars: number
  /** In place of the heading that an item stands under. */
  category: string | undefined
}

export interface FileEvidence {
  items: EvidenceDraft[]
  /** Characters that were left out. */
  cutChars: number
}

const longestTitle = 160
const longestSummary = 500

/**
 * A file as evidence. In Markdown each list entry or table row with a web link is an
 * item of its own with that link, its stars and its heading; what else stands below
 * a heading is one item without address. Any other text is one such item; of JSON
 * lines the newest are kept. The time is that of the file.
 */
export function fileEvidence(file: FoundFile, text: string, options: FileEvidenceOptions): FileEvidence {
  const plain = text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
  const isLines = file.path.endsWith('.jsonl')
  const shown = isLines ? tailLines(plain, options.maxChars) : cutAt(plain, options.maxChars)
  const cutChars = plain.length - shown.length
  if (!file.path.endsWith('.md')) {
    const whole = draft(file, options, { url: '', title: basename(file.path), summary: shown.trim() })
    return { items: shown.trim() === '' ? [] : [whole], cutChars }
  }
  const items = contentsOf(shown).flatMap(part => sectionEvidence(file, options, part))
  const linked = items.filter(({ url }) => url !== '')
  const isOffline = offlineBanner.test(plain)
  return { items: isOffline && linked.length > 0 ? linked : items, cutChars }
}

/** Of a report without a model: beside its linked items it only quotes, and a quotation of quotations helps nobody. */
const offlineBanner = /^> No model was used/m
const offlinePhrases =
  /^> (?:No model was used|missing: )|^Nothing was gathered for this section\.$|^\w+day \d{4}-\d{2}-\d{2}, \S+$/

/** Whole lines from the end. */
function tailLines(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const tail = tailOf(text, maxChars)
  return tail.slice(tail.indexOf('\n') + 1)
}

interface Part {
  heading: string
  body: string
}

/** What stands below one heading. */
interface Content {
  heading: string
  linked: readonly LinkedItem[]
  /** What is left of it. */
  rest: string
}

/** Several collectors of a process may read the same file. */
const contentsOf = remembered(
  (text: string): readonly Content[] =>
    sectionsIn(text).map(({ heading, body }) => {
      const linked = itemsOf(body).flatMap(item => linkedItem(item) ?? [])
      const taken = linked.map(item => item.text)
      return { heading, linked, rest: restOf(body, taken) }
    }),
  200,
)

/** From one heading to the next, of whatever level. */
function sectionsIn(text: string): Part[] {
  const parts: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }]
  for (const { text: line, heading } of outline(text)) {
    if (heading) parts.push({ heading: heading.text, lines: [] })
    else parts.at(-1)!.lines.push(line)
  }
  return parts.map(({ heading, lines }) => ({ heading, body: lines.join('\n') }))
}

function sectionEvidence(
  file: FoundFile,
  options: FileEvidenceOptions,
  { heading, linked, rest }: Content,
): EvidenceDraft[] {
  const items = linked.map(({ url, title, summary, stars }) =>
    draft(file, options, { url, title, summary, stars, heading }),
  )
  if (rest === '') return items
  const name = basename(file.path, '.md')
  const title = heading === '' ? name : `${name}: ${heading}`
  return [...items, draft(file, options, { url: '', title, summary: rest, heading })]
}

interface LinkedItem {
  text: string
  url: string
  title: string
  summary: string
  stars: number
}

/** Undefined for an entry without a web link. */
function linkedItem({ text }: Item): LinkedItem | undefined {
  const link = linksOf(text).find(({ url }) => /^https?:\/\//i.test(url))
  if (!link) return undefined
  const stars = Math.min(5, Math.max(1, text.split('★').length - 1))
  const label = /^!?\[([^\]]*)\]/.exec(link.text)?.[1] ?? ''
  const words = wordsOf(text)
  const title = wordsOf(label)
  const summary = cutAt(title === '' ? words : wordsAfter(title, words), longestSummary)
  return { text, url: link.url, title: cutAt(title || words, longestTitle) || link.url, summary, stars }
}

/** What an entry says beyond its title; `(source, date)` behind it is a report's way to name where it is from. */
function wordsAfter(title: string, words: string): string {
  if (!words.startsWith(title)) return words
  return words
    .slice(title.length)
    .replace(/^\s*\([^()]{0,200}\)(?=\s*(?:[:：]|$))/, '')
    .replace(/^[\s:：—–-]+/, '')
}

/** Without bullet, rating and addresses, in one line. */
function wordsOf(text: string): string {
  return withoutAddresses(text)
    .replace(/^\s*(?:[-*+•]|\d{1,4}[.)、])\s+/, '')
    .replace(/[★☆]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** What is left when the linked entries are taken out, without rules, and without what the offline writer says of itself. */
function restOf(body: string, taken: readonly string[]): string {
  let rest = ''
  let from = 0
  for (const text of taken) {
    const at = body.indexOf(text, from)
    if (at === -1) continue
    rest += body.slice(from, at)
    from = at + text.length
  }
  return (rest + body.slice(from))
    .split('\n')
    .filter(line => !offlinePhrases.test(line) && !/^>?\s*$|^\s*([-*_]\s*){3,}$/.test(line))
    .join('\n')
    .trim()
}

function draft(
  { path, stat }: FoundFile,
  { fetchedAt, category }: FileEvidenceOptions,
  found: { url: string; title: string; summary: string; stars?: number; heading?: string },
): EvidenceDraft {
  const { url, title, summary, stars = 1, heading = '' } = found
  return {
    url,
    title,
    summary,
    source: path,
    category: category ?? (heading === '' ? 'file' : heading.toLowerCase()),
    published: toIso(stat.mtimeMs),
    fetchedAt: toIso(fetchedAt),
    hash: sha256(`${path}\n${url}\n${summary}`),
    score: 0,
    stars,
  }
}
