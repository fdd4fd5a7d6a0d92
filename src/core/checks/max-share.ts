import type { Evidence } from '../evidence.ts'
import { isObject } from '../json-schema.ts'
import { type Check, type CheckContext, few } from './check.ts'
import { itemsOf } from './items-of.ts'
import { linksOf } from './links-of.ts'

interface ShareLimit {
  of: 'source' | 'category'
  /** Only this one is limited; without it, each. */
  label?: string
  /** Of all items. */
  percent: number
}

function isLimit(value: unknown): value is ShareLimit {
  if (!isObject(value)) return false
  const { of, label, percent } = value
  const isLabel = label === undefined || typeof label === 'string'
  return (
    (of === 'source' || of === 'category') &&
    isLabel &&
    typeof percent === 'number' &&
    percent >= 0 &&
    percent <= 100
  )
}

/** How much of the items may come from one source or category; an item belongs where its first gathered link does. */
export const maxShare: Check = {
  name: 'maxShare',
  takes: '{of: source or category, percent, label?} or a list of these',
  isArgument: argument =>
    Array.isArray(argument) ? argument.length > 0 && argument.every(isLimit) : isLimit(argument),
  problems(text, context) {
    const { argument } = context
    const found = itemsOf(text).map(item => evidenceOf(item.text, context))
    return (Array.isArray(argument) ? argument : [argument]).flatMap(value =>
      isLimit(value) ? overLimit(found, value) : [],
    )
  },
}

function evidenceOf(text: string, { evidence, canonical }: CheckContext): Evidence | undefined {
  const byUrl = new Map(evidence.map(one => [canonical(one.url), one]))
  return linksOf(text)
    .map(({ url }) => canonical(url))
    .map(url => (url === undefined ? undefined : byUrl.get(url)))
    .find(one => one !== undefined)
}

/** Small lists are spared: with three items one is a third. */
const smallestList = 4

function overLimit(found: readonly (Evidence | undefined)[], { of, label, percent }: ShareLimit): string[] {
  if (found.length < smallestList) return []
  const counts = new Map<string, number>()
  for (const one of found) if (one) counts.set(one[of], (counts.get(one[of]) ?? 0) + 1)
  const over = [...counts].filter(
    ([name, count]) =>
      (label === undefined || name.toLowerCase() === label.toLowerCase()) &&
      (count / found.length) * 100 > percent,
  )
  if (over.length === 0) return []
  const told = over.map(([name, count]) => `${name} ${count} of ${found.length}`)
  return [
    `more than ${percent} % of the items are from one ${of}: ${few(told)}; at most ${Math.floor((percent / 100) * found.length)} each`,
  ]
}
