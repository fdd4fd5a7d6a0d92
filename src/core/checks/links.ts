import { isObject } from '../json-schema.ts'
import { type Check, few, isTexts, isTrue, quoted } from './check.ts'
import { type Item, itemsOf } from './items-of.ts'
import { linksOf } from './links-of.ts'
import { isHeading } from './sections-of.ts'

/** `true` for all items, or only those under some headings, or all but those. */
export const everyItemLinks: Check = {
  name: 'everyItemLinks',
  takes: 'true, {only: [headings]} or {except: [headings]}',
  isArgument: argument =>
    isTrue(argument) || (isObject(argument) && (isTexts(argument['only']) || isTexts(argument['except']))),
  problems(text, { argument }) {
    const definitions = text.match(/^[ ]{0,3}\[[^\]\n]+\]:.*$/gm)?.join('\n') ?? ''
    const without = itemsOf(text)
      .filter(item => isMeant(item, argument))
      .filter(
        item =>
          !linksOf(`${item.text}\n\n${definitions}`).some(
            ({ text: link, url }) => isWeb(url) && item.text.includes(link),
          ),
      )
    if (without.length === 0) return []
    const told = few(
      without.map(item => quoted(item.text)),
      3,
    )
    return [`${without.length} items have no link: ${told}`]
  },
}

/** Every address must be one that this run gathered. */
export const linksFromEvidence: Check = {
  name: 'linksFromEvidence',
  takes: 'true',
  isArgument: isTrue,
  problems(text, { evidence, canonical }) {
    const known = new Set(evidence.map(({ url }) => canonical(url)))
    const isKnown = (url: string | undefined): boolean => url !== undefined && known.has(url)
    const foreign = linksOf(text).filter(({ url }) => !isKnown(canonical(url)))
    return [...new Set(foreign.map(({ url }) => url))].map(
      url => `links to ${url}, which is not in the gathered material; use only its addresses, unchanged`,
    )
  },
}

function isMeant({ headings }: Item, argument: unknown): boolean {
  if (!isObject(argument)) return true
  const isUnder = (wanted: unknown): boolean =>
    isTexts(wanted) && wanted.some(name => headings.some(heading => isHeading(heading, name)))
  return argument['only'] === undefined ? !isUnder(argument['except']) : isUnder(argument['only'])
}

function isWeb(url: string): boolean {
  return /^https?:\/\//i.test(url)
}
