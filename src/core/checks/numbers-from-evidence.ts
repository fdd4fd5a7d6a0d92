import type { Evidence } from '../evidence.ts'
import { type Check, few, isTrue } from './check.ts'
import { itemsOf } from './items-of.ts'
import { linksOf } from './links-of.ts'
import { type NumberToken, numberTokens } from './number-tokens.ts'

/**
 * Every number must be one of the gathered ones. Compared by value, so `1,234` is
 * `1234`; a number with a unit (k, million, 万) may be a rounding of a gathered
 * one to the digits it shows; a sign must not contradict. Free are: numbers at
 * the start of a line or heading and after `#`, `No.`, `Top`; dates, times and
 * years 1900 to 2099; star ratings; how many items the text has and how many
 * items, sources and categories were gathered. Addresses are not read.
 */
export const numbersFromEvidence: Check = {
  name: 'numbersFromEvidence',
  takes: 'true',
  isArgument: isTrue,
  problems(text, { evidence, remarks = [] }) {
    const gathered = [...evidence.map(evidenceText), ...remarks]
    const known = gathered.flatMap(one => withRanges(one, numberTokens(one)))
    const counts = freeCounts(text, evidence)
    const foreign = numberTokens(withoutFree(text)).filter(
      token => !counts.has(token.plain) && !known.some(one => isSame(token, one)),
    )
    const told = [...new Set(foreign.map(token => token.text))]
    return told.length === 0
      ? []
      : [
          `has numbers that are not in the gathered material: ${few(told, 8)}; take numbers from it unchanged or leave them out`,
        ]
  },
}

function evidenceText({ title, summary, source, published, extra }: Evidence): string {
  return [title, summary, source, published, extra === undefined ? '' : JSON.stringify(extra)].join('\n')
}

function freeCounts(text: string, evidence: readonly Evidence[]): Set<number> {
  const distinct = (key: 'source' | 'category'): number => new Set(evidence.map(one => one[key])).size
  return new Set([itemsOf(text).length, evidence.length, distinct('source'), distinct('category')])
}

/** In `2 to 3 million` the first number has the unit of the second. */
function withRanges(text: string, tokens: readonly NumberToken[]): NumberToken[] {
  const plain = text.normalize('NFKC')
  const ranges = tokens.flatMap((token, index) => {
    const next = tokens[index + 1]
    if (!next?.hasUnit || token.hasUnit) return []
    const between = plain.slice(token.at + token.text.length - token.sign.length, next.at)
    if (!/^\s*(?:[-\u2013\u2014~/]|to|and|or|[至到和或])\s*[$€£¥]?$/i.test(between)) return []
    return [{ ...token, scaled: (token.plain * next.scaled) / (next.plain || 1), hasUnit: true }]
  })
  return [...tokens, ...ranges]
}

/** A unit that is written out counts: 3 billion is not 3 million. One letter alone may be of another kind, e.g. metres. */
function isSame(said: NumberToken, known: NumberToken): boolean {
  if (said.sign !== '' && known.sign !== '' && said.sign !== known.sign) return false
  if (isNear(known.scaled, said.scaled)) return true
  const isUnitOpen = !said.hasUnit || (!known.hasUnit && /\d\s?[mbt]$/i.test(said.text))
  if (isUnitOpen && isNear(known.plain, said.plain)) return true
  return said.hasUnit && known.scaled > 0 && Math.abs(known.scaled - said.scaled) <= roundingOf(said) / 2
}

function roundingOf({ plain, scaled, text }: NumberToken): number {
  const decimals = /\.(\d+)/.exec(text)?.[1]?.length ?? 0
  return plain === 0 ? 0 : scaled / plain / 10 ** decimals
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.abs(a) * 1e-9
}

const months =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'

/** What needs no source, in the order in which it is taken out. */
const free: readonly RegExp[] = [
  /^[ \t>]*(?:#{1,6}[ \t]+)?(?:[-*+•][ \t]+)?(?:\*\*)?\(?\d{1,3}(?:[.)、:：]|\*\*[.)])(?=\s|\*|\[|[^\d\s])/gm,
  /^[ \t]*\|[ \t]*\d{1,3}[ \t]*(?=\|)/gm,
  /\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})?/g,
  /\b(?:19|20)\d{2}[-/.](?:0?[1-9]|1[0-2])(?:[-/.](?:0?[1-9]|[12]\d|3[01]))?(?![\d%])/g,
  /(?:(?:19|20)\d{2}\s*年\s*)?(?:0?[1-9]|1[0-2])\s*月(?:\s*(?:0?[1-9]|[12]\d|3[01])\s*[日号])?/g,
  new RegExp(
    String.raw`\b(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\s+(?:${months})\.?(?:,?\s+(?:19|20)\d{2})?\b`,
    'gi',
  ),
  new RegExp(
    String.raw`\b(?:${months})\.?\s+(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?(?:,?\s+(?:19|20)\d{2})?\b`,
    'gi',
  ),
  /(?<![\d.])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?!\d)/g,
  /(?<![\d.,$€£¥])(?:19|20)\d{2}(?![\d%]|[.,]\d|\s*(?:stars?|points?|votes?|comments?|%|万|亿))/g,
  /(?:[★⭐☆]\uFE0F?\s*[0-5](?:\.\d)?|(?<!\d)[0-5](?:\.\d)?\s*(?:\/\s*5(?![\d.])|[★⭐☆]|星))/g,
  /(?:#|\bNo\.?\s?|\btop[ -]|第)\d{1,3}(?![\d.%])/gi,
]

function withoutFree(text: string): string {
  let rest = text.normalize('NFKC').replace(/\]\([^)\s]{0,2000}(?:\s+"[^"]{0,500}")?\)/g, '] ')
  for (const url of new Set(linksOf(text).map(link => link.url))) {
    rest = rest.replaceAll(url.normalize('NFKC'), ' ')
  }
  for (const pattern of free) rest = rest.replace(pattern, ' ')
  return rest
}
