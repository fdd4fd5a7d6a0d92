import { isObject } from '../../json-schema.ts'
import { type Check, few, quoted } from '../check.ts'
import { buyViewsIn } from './buy-views.ts'
import { judgmentsOf } from './judgments.ts'
import { withoutQuotations } from './quotations.ts'
import { type Statement, statementsOf } from './statements-of.ts'

interface ConfidenceLimit {
  /** Percent. */
  flagBelow: number
}

function isLimit(value: unknown): value is ConfidenceLimit {
  if (!isObject(value) || Object.keys(value).length !== 1) return false
  const { flagBelow } = value
  return typeof flagBelow === 'number' && flagBelow >= 0 && flagBelow <= 100
}

/** Each judgment and each view to buy says how sure it is, in percent; under the limit it says so in words. */
export const confidence: Check = {
  name: 'confidence',
  takes: '{flagBelow: percent}',
  isArgument: isLimit,
  problems(text, context) {
    const { argument } = context
    if (!isLimit(argument)) return []
    const found = statedViews(withoutQuotations(text, context))
    const without = found.filter(({ least }) => least === undefined)
    const unflagged = found.filter(
      ({ least, isFlagged }) => least !== undefined && least < argument.flagBelow && !isFlagged,
    )
    const outside = found.filter(({ least, most }) => least !== undefined && most > 100)
    return [
      ...problem(without, 'without a confidence number; write "confidence 70" beside each'),
      ...problem(unflagged, `under ${argument.flagBelow} without the words "low confidence"; add them`),
      ...problem(outside, 'with a confidence above 100; give percent, 0 to 100'),
    ]
  },
}

interface StatedView {
  said: string
  least: number | undefined
  most: number
  isFlagged: boolean
}

function problem(views: readonly StatedView[], why: string): string[] {
  if (views.length === 0) return []
  const told = few(
    views.map(({ said }) => quoted(said)),
    3,
  )
  return [`has ${views.length} judgments ${why}: ${told}`]
}

function statedViews(text: string): StatedView[] {
  const statements = statementsOf(text)
  const judgments = judgmentsOf(statements)
  const covered = new Set(judgments.flatMap(judgment => judgment.statements))
  const buys = statements
    .filter(one => one.kind !== 'heading' && !covered.has(one) && hasBuyView(one))
    .map(({ lines }) => ({ said: lines[0] ?? '', text: lines.join('\n') }))
  return [...judgments, ...buys].map(stated)
}

function hasBuyView({ kind, lines, cells }: Statement): boolean {
  const said = kind === 'row' ? cells.map(cell => cell.text) : lines
  return said.some(line => buyViewsIn(line) > 0)
}

const worded =
  /(?:confidence|conviction|置信度?|信心)([^\d\n]{0,24})(\d{1,3}(?:\.\d{1,2})?)(\s?(?:\/|out of)\s?(10|100)\b)?/gi
const behind = /(\d{1,3}(?:\.\d{1,2})?)\s?[%％]?\s(?:of )?(?:confidence|conviction|置信)/gi
const flag =
  /low(?:er)?[ -](?:confidence|conviction)|(?:confidence|conviction)\s?(?:is\s|[:：=]\s?)?\(?(?:very )?low\b|低置信|置信度?\s?[:：]?\s?(?:较|偏|很)?低|低信心|信心(?:较|偏|很)?低/i

function stated({ said, text }: { said: string; text: string }): StatedView {
  const named = [...text.matchAll(worded)].map(([, , number = '', , of]) => percentOf(number, of))
  const numbers =
    named.length > 0 ? named : [...text.matchAll(behind)].map(([, number = '']) => percentOf(number))
  return {
    said,
    least: numbers.length === 0 ? undefined : Math.min(...numbers),
    most: numbers.length === 0 ? 0 : Math.max(...numbers),
    isFlagged: flag.test(text),
  }
}

/** `0.7`, `7/10` and `70` are one. */
function percentOf(number: string, of?: string): number {
  const value = Number(number)
  if (of === '10') return value * 10
  return of === undefined && number.startsWith('0.') ? value * 100 : value
}
