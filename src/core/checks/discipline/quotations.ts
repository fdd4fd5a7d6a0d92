import { inMarkdown, sentenceOf, withoutAddresses } from '../../extract-text.ts'
import type { CheckContext } from '../check.ts'

/** Shorter gathered texts are words that anyone may use. */
const shortestQuote = 12

const quoted: readonly RegExp[] = [
  /“[^“”\n]{1,300}”/g,
  /「[^「」\n]{1,300}」/g,
  /『[^『』\n]{1,300}』/g,
  /(?<![\w\d])"[^"\n]{1,300}"(?!\w)/g,
]

/**
 * The text without what others said: quotation marks and, letter for letter, titles,
 * first sentences and summaries of what this run gathered. Addresses stay.
 */
export function withoutQuotations(text: string, { evidence }: Pick<CheckContext, 'evidence'>): string {
  let rest = text
  for (const quote of gatheredTexts(evidence)) rest = rest.replaceAll(quote, ' ')
  for (const pattern of quoted) rest = rest.replace(pattern, '""')
  return rest
}

/** One run asks several checks about the same evidence. */
const known = new WeakMap<CheckContext['evidence'], string[]>()

/** Longest first, so that a sentence does not break the summary that it begins. */
function gatheredTexts(evidence: CheckContext['evidence']): string[] {
  const before = known.get(evidence)
  if (before) return before
  const texts = evidence.flatMap(({ title, summary }) => [
    title,
    inMarkdown(title),
    inMarkdown(withoutAddresses(title)),
    summary,
    inMarkdown(withoutAddresses(summary)),
    sentenceOf(summary),
    inMarkdown(sentenceOf(summary)),
  ])
  const quotes = [...new Set(texts)]
    .filter(quote => quote.length >= shortestQuote && quote.trim() !== '')
    .sort((a, b) => b.length - a.length)
  known.set(evidence, quotes)
  return quotes
}
