import { foldHeading } from '../sections-of.ts'
import { isNone, tagPattern } from './labels.ts'
import type { Statement } from './statements-of.ts'

export const factTag = tagPattern('facts?|事实')
export const judgmentTag = tagPattern('judge?ments?|views?|判断|观点|研判')

const judgmentHeading =
  /^(?:(?:key |our |my |main |open )?(?:judge?ments?|views?|calls?)|(?:核心|主要|我的)?(?:判断|观点|研判))(?: |$)/
const factHeading =
  /^(?:(?:key |main |hard )?facts?|(?:核心|主要|关键)?(?:事实|数据|事实与数据|数据与事实))(?: (?!and |vs )|$)/

export function isJudgmentHeading(heading: string): boolean {
  return judgmentHeading.test(foldHeading(heading))
}

export function isFactHeading(heading: string): boolean {
  return factHeading.test(foldHeading(heading))
}

/** One judgment with all that is said for and against it. */
export interface Judgment {
  /** Its first line, for messages. */
  said: string
  text: string
  statements: readonly Statement[]
}

/**
 * Judgments of a text: what carries the tag, a row with a column of that name, and
 * what stands below such a heading: each entry or row, or where there are none each
 * paragraph; a heading below it makes one judgment of all under it. What says
 * that there is none is no judgment.
 */
export function judgmentsOf(statements: readonly Statement[]): Judgment[] {
  const listed = new Set(
    statements.filter(({ kind }) => kind === 'item' || kind === 'row').map(({ section }) => section),
  )
  const groups = new Map<number, Statement[]>()
  const single: Statement[] = []
  for (const one of statements) {
    const below = one.headings.findIndex(isJudgmentHeading)
    const isGrouped = below !== -1 && below < one.headings.length - 1
    if (isGrouped || (one.kind === 'heading' && isNamed(one)) || groups.has(one.section)) add(groups, one)
    else if (one.kind !== 'heading' && isSingle(one, below !== -1, listed)) single.push(one)
  }
  return [
    ...[...groups.values()].filter(group => group.length > 1 || isNamed(group[0])),
    ...single.map(one => [one]),
  ]
    .map(judgmentOf)
    .filter(({ text }) => !isNone(text))
}

function add(groups: Map<number, Statement[]>, one: Statement): void {
  const group = groups.get(one.section)
  if (group) group.push(one)
  else groups.set(one.section, [one])
}

/** A heading that tells the judgment itself: `Judgment 1: oil leads`. */
function isNamed(one: Statement | undefined): boolean {
  return (
    one?.kind === 'heading' && /[:：]\s*\S/.test(one.lines[0] ?? '') && judgmentTag.test(one.lines[0] ?? '')
  )
}

function isSingle(one: Statement, isBelow: boolean, listed: ReadonlySet<number>): boolean {
  const ofColumn = one.cells.filter(({ head }) => isJudgmentHeading(head))
  if (ofColumn.length > 0) return ofColumn.some(({ text }) => text !== '' && !isNone(text))
  if (one.lines.some(line => judgmentTag.test(line))) return true
  if (one.lines.some(line => factTag.test(line))) return false
  return isBelow && (one.kind !== 'paragraph' || !listed.has(one.section))
}

function judgmentOf(group: readonly Statement[]): Judgment {
  const first = group[0]
  const said =
    first?.kind === 'row' ? first.cells.map(({ text }) => text).join(' | ') : (first?.lines[0] ?? '')
  return { said, text: group.flatMap(({ lines }) => lines).join('\n'), statements: group }
}
