import { outline, type OutlineLine } from '../sections-of.ts'
import { type Cell, cellsOf, cellTexts, isDelimiterRow } from '../table.ts'
import { startsWithLabel } from './labels.ts'

/** What stands together for a reader: a list entry with all below it, a table row, a paragraph, or a heading. */
export interface Statement {
  kind: 'item' | 'row' | 'paragraph' | 'heading'
  /** As written; of a row one line for each cell, `column: cell`. */
  lines: string[]
  /** Of a row, else empty. */
  cells: Cell[]
  /** Headings above it, outermost first; a heading counts as its own. */
  headings: string[]
  /** The number of the line of its innermost heading; -1 above the first. */
  section: number
}

const bullet = /^\s{0,3}(?:[-*+•]|\d{1,4}[.)、])\s+\S/
const rule = /^\s{0,3}([-*_=])[ \t]*(?:\1[ \t]*){2,}$/

interface Place {
  headings: { text: string; level: number }[]
  section: number
  /** After a rule: plain words below it are a foot of the text and belong to no heading. */
  isClosed: boolean
}

/**
 * The statements of a text in order. What is fenced is read like a paragraph,
 * because people read it too. An entry or paragraph that begins with a label such
 * as `Stop-loss:` or `Against it:` continues the statement before it.
 */
export function statementsOf(text: string): Statement[] {
  const statements: Statement[] = []
  const place: Place = { headings: [], section: -1, isClosed: false }
  const lines = outline(text).map(line => ({ ...line, text: line.text.replace(/^(?:\s{0,3}>){1,9} ?/, '') }))
  const rows = tableRows(lines)
  let open: Statement | undefined
  let wasBlank = false
  for (const [index, line] of lines.entries()) {
    const isBlank = line.text.trim() === ''
    if (line.heading) {
      enter(place, line.heading, index)
      statements.push(statement('heading', [line.heading.text], place))
      open = undefined
    } else if (rows.has(index)) {
      const cells = rows.get(index) ?? []
      if (cells.length > 0) statements.push(rowOf(cells, place))
      open = undefined
    } else if (!isBlank && !isFenceOrRule(line)) {
      const kind = kindOf(line, open, wasBlank)
      const label = kind !== 'more' && startsWithLabel(line.text) ? continued(statements, place) : undefined
      if (kind !== 'more' && !label) statements.push(statement(kind, [], place))
      if (kind !== 'more') open = label ?? statements.at(-1)
      open?.lines.push(line.text)
    }
    if (!line.isInFence && rule.test(line.text) && !lines[index - 1]?.heading) place.isClosed = true
    wasBlank = isBlank
  }
  return statements
}

function kindOf(
  line: OutlineLine,
  open: Statement | undefined,
  wasBlank: boolean,
): 'more' | 'item' | 'paragraph' {
  const isIndented = /^(?:\s{2}|\t)/.test(line.text)
  if (open?.kind === 'item' && isIndented) return 'more'
  if (!line.isInFence && bullet.test(line.text)) return 'item'
  return open && !wasBlank ? 'more' : 'paragraph'
}

function isFenceOrRule({ text, isInFence }: OutlineLine): boolean {
  return rule.test(text) || (isInFence && /^\s{0,3}(?:`{3}|~{3})/.test(text))
}

/** The statement before, if it stands in the same section. */
function continued(statements: readonly Statement[], { section }: Place): Statement | undefined {
  const last = statements.at(-1)
  return last && last.section === section && last.kind !== 'heading' ? last : undefined
}

function enter(place: Place, heading: { text: string; level: number }, index: number): void {
  while ((place.headings.at(-1)?.level ?? 0) >= heading.level) place.headings.pop()
  place.headings.push(heading)
  place.section = index
  place.isClosed = false
}

function statement(kind: Statement['kind'], lines: string[], place: Place): Statement {
  if (kind === 'paragraph' && place.isClosed) return { kind, lines, cells: [], headings: [], section: -1 }
  const { headings, section } = place
  return { kind, lines, cells: [], headings: headings.map(heading => heading.text), section }
}

function rowOf(cells: Cell[], place: Place): Statement {
  const lines = cells.map(({ head, text }) => `${head}: ${text}`)
  return { ...statement('row', lines, place), cells }
}

/** By line the cells of each row; of a head and its delimiter none. */
function tableRows(lines: readonly OutlineLine[]): Map<number, Cell[]> {
  const rows = new Map<number, Cell[]>()
  let heads: string[] | undefined
  for (const [index, { text, isInFence }] of lines.entries()) {
    if (isInFence || !text.includes('|')) heads = undefined
    else if (isDelimiterRow(text)) {
      const head = lines[index - 1]?.text ?? ''
      heads = head.includes('|') ? cellTexts(head) : undefined
      if (heads) rows.set(index - 1, []).set(index, [])
    } else if (heads) rows.set(index, cellsOf(text, heads))
  }
  return rows
}
