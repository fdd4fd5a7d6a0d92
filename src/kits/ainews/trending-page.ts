import { decodeEntities } from '../../core/html-entity.ts'
import { plainText } from '../../core/plain-text.ts'

export interface TrendingRow {
  /** `owner/repository` */
  name: string
  url: string
  description: string
  language: string
  stars: number | undefined
  forks: number | undefined
  /** Gained in the page's period. */
  periodStars: number | undefined
}

export type TrendingPage =
  | { kind: 'rows'; rows: TrendingRow[] }
  /** The page itself says that nothing is trending. */
  | { kind: 'none' }
  | { kind: 'unknown-layout' }

/** Reads the markup by its few lasting marks; a page that has none of them is told apart from an empty one. */
export function readTrendingPage(html: string): TrendingPage {
  const home = baseOf(html)
  const rows = html
    .split(/<article\b[^>]*class="[^"]*\bBox-row\b[^"]*"[^>]*>/i)
    .slice(1)
    .map(part => rowOf(part.split(/<\/article>/i)[0]!, home))
    .filter(row => row !== undefined)
  if (rows.length > 0) return { kind: 'rows', rows }
  return /have any trending repositories/i.test(html) ? { kind: 'none' } : { kind: 'unknown-layout' }
}

/** A saved page may name another home than GitHub. */
function baseOf(html: string): string {
  return /<base\b[^>]*href="(https?:\/\/[^"]+)"/i.exec(html)?.[1] ?? 'https://github.com/'
}

function rowOf(html: string, home: string): TrendingRow | undefined {
  const path = /<h[1-3]\b[^>]*>\s*<a\b[^>]*?\bhref="(\/[\w.-]+\/[\w.-]+)"/i.exec(html)?.[1]
  if (path === undefined || !URL.canParse(path, home)) return undefined
  return {
    name: path.slice(1),
    url: new URL(path, home).href,
    description: plainText(
      /<p\b[^>]*class="[^"]*\bcol-9\b[^"]*"[^>]*>([\s\S]*?)<\/p>/i.exec(html)?.[1] ?? '',
      300,
    ),
    language: plainText(/itemprop="programmingLanguage"[^>]*>([^<]*)</i.exec(html)?.[1] ?? '', 40),
    stars: countIn(html, /href="[^"]*\/stargazers[^"]*"[^>]*>([\s\S]*?)<\/a>/i),
    forks: countIn(html, /href="[^"]*\/(?:forks|network\/members)[^"]*"[^>]*>([\s\S]*?)<\/a>/i),
    periodStars: countOf(periodText(html)),
  }
}

/** What stands before `stars today`, `stars this week` or `stars this month`. */
function periodText(html: string): string | undefined {
  const texts = html.split(/<[^>]*>/).map(decodeEntities)
  const period = /^([\s\d.,km]+?)\s*stars?\s+(?:today|this\s+week|this\s+month)/i
  return texts.map(text => period.exec(text)?.[1]).find(found => found !== undefined)
}

function countIn(html: string, place: RegExp): number | undefined {
  const inside = place.exec(html)?.[1]
  return inside === undefined ? undefined : countOf(plainText(inside, 40))
}

/** `1,582`, `1.582`, `1 582` and `1.6k`. */
function countOf(text: string | undefined): number | undefined {
  const digits = text?.replace(/\s/g, '').toLowerCase()
  const match = digits === undefined ? null : /^([\d.,]+)([km]?)$/.exec(digits)
  if (!match) return undefined
  const [, number = '', unit = ''] = match
  if (unit === '') return Number(number.replace(/[.,]/g, ''))
  return Math.round(Number(number.replace(',', '.')) * (unit === 'k' ? 1000 : 1_000_000))
}
