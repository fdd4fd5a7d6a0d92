import { type Check, few, isTrue, quoted } from '../check.ts'
import { buyViewsIn, isBuyHeading } from './buy-views.ts'
import { isNone } from './labels.ts'
import { withoutQuotations } from './quotations.ts'
import { type Statement, statementsOf } from './statements-of.ts'

/** Each view to buy stands with a stop-loss that is a number, in the same entry, row or paragraph. */
export const stopLoss: Check = {
  name: 'stopLoss',
  takes: 'true',
  isArgument: isTrue,
  problems(text, context) {
    const statements = statementsOf(withoutQuotations(text, context))
    const sections = stopsBySection(statements)
    const without = statements.flatMap(one => withoutStop(one, sections))
    if (without.length === 0) return []
    return [
      `has ${without.length} buy views without a stop-loss: ${few(without.map(quoted), 3)}; write a level such as "stop-loss 9.80" in the same line, or take the view out`,
    ]
  },
}

const before =
  /(?:stop(?:s|ped)?(?:[ -]?loss(?:es)?| out)?|\bSL|cut loss(?:es)?|止损(?:位|价|线|点)?)([^\d\n;；。，,.]{0,24})[+\-−]?\d/gi
const after =
  /\d\s?(?:%|％|元|美元|港元|点)?\s?(?:\((?:hard )?|（|as |is |for |作为|为|附近|处|则|就|以下|下方|时|设){0,3}(?:the |a |hard |our ){0,2}(?:stop(?:[ -]loss)?\b(?!\s*[:：])|止损(?!(?:位|价|线|点)?\s?[:：]?\s?[\d无]))/gi
const notALevel =
  /\b(?:none|no|not|tbd|n\/a|unknown|target|score|confidence|later)\b|未|无|待|目标|置信|评分|没有/i

/** How many stop-losses with a number a text holds. */
export function stopsIn(text: string): number {
  const named = [...text.matchAll(before)].filter(match => !notALevel.test(match[1] ?? '')).length
  return named > 0 ? named : [...text.matchAll(after)].length
}

function stopsBySection(statements: readonly Statement[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { section, lines } of statements)
    counts.set(section, (counts.get(section) ?? 0) + stopsIn(lines.join('\n')))
  return counts
}

/** The views of one statement that have no stop-loss, as written. */
function withoutStop(statement: Statement, sections: ReadonlyMap<number, number>): string[] {
  const { kind, lines, headings, section } = statement
  if (kind === 'heading') {
    const isView = !isBuyHeading(lines[0]) && buyViewsIn(lines[0] ?? '') > 0
    return isView && (sections.get(section) ?? 0) === 0 ? lines : []
  }
  const views = kind === 'row' ? rowViews(statement) : leafViews(lines)
  const isBelowBuy = isBuyHeading(headings.at(-1)) && kind !== 'paragraph' && !isNone(lines[0] ?? '')
  if (views.length === 0 && isBelowBuy) views.push({ line: statementText(statement), count: 1 })
  const needed = views.reduce((sum, { count }) => sum + count, 0)
  if (needed === 0 || stopsIn(lines.join('\n')) >= needed) return []
  return views
    .filter(({ line, count }) => stopsIn(line) < count || views.length === 1)
    .map(({ line }) => line)
}

interface View {
  line: string
  count: number
}

function rowViews(statement: Statement): View[] {
  const isView = statement.cells.some(
    ({ head, text }) =>
      buyViewsIn(text) > 0 || (/\b(?:buy|entry|long)\b|买入|建仓/i.test(head) && /\d/.test(text)),
  )
  return isView ? [{ line: statementText(statement), count: 1 }] : []
}

function statementText({ kind, cells, lines }: Statement): string {
  return kind === 'row' ? cells.map(({ text }) => text).join(' | ') : (lines[0] ?? '')
}

/** Lines with views; one whose own entries below it hold views only introduces them. */
function leafViews(lines: readonly string[]): View[] {
  const views: (View & { indent: number })[] = []
  let lowest = Infinity
  for (const line of lines) {
    const indent = line.length - line.trimStart().length
    lowest = Math.min(lowest, indent)
    const count = buyViewsIn(line)
    if (count === 0) continue
    const last = views.at(-1)
    if (last && lowest > last.indent) views.pop()
    views.push({ line, count, indent })
    lowest = Infinity
  }
  return views
}
