import { outline, type OutlineLine } from './sections-of.ts'
import { isDelimiterRow } from './table.ts'

export interface Item {
  /** The entry with all that is indented below it, or the table row. */
  text: string
  /** Headings above it, outermost first. */
  headings: string[]
}

const bullet = /^(\s{0,3})(?:[-*+•]|\d{1,4}[.)、])\s+\S/
const rule = /^\s{0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/

/** Top-level list entries and table rows, in order; fences hold none. */
export function itemsOf(text: string): Item[] {
  const items: Item[] = []
  const headings: { text: string; level: number }[] = []
  let open: Item | undefined
  const lines = outline(text)
  const rows = tableRows(lines)
  const next = nextTexts(lines)
  for (const [index, line] of lines.entries()) {
    if (line.heading) {
      while (headings.length > 0 && (headings.at(-1)?.level ?? 0) >= line.heading.level) headings.pop()
      headings.push(line.heading)
      open = undefined
      continue
    }
    const isNested = open !== undefined && /^\s{2}/.test(line.text) && !line.text.trimStart().startsWith('|')
    if (!isNested && (rows.has(index) || startsItem(line))) {
      open = { text: line.text, headings: headings.map(heading => heading.text) }
      items.push(open)
    } else if (open && belongs(lines, index, next)) open.text += `\n${line.text}`
    else open = undefined
  }
  return items
}

function startsItem({ text, isInFence }: OutlineLine): boolean {
  return !isInFence && bullet.test(text) && !rule.test(text)
}

/** Indented lines, lazy continuations and the blank lines between them. */
function belongs(lines: readonly OutlineLine[], index: number, next: readonly string[]): boolean {
  const text = lines[index]?.text ?? ''
  if (text.trim() === '') return /^(\s{2,}|\t)\S/.test(next[index] ?? '')
  if (/^(\s{2,}|\t)/.test(text)) return true
  const isLazy = (lines[index - 1]?.text ?? '').trim() !== '' && !text.includes('|') && !rule.test(text)
  return isLazy && !/^\s{0,3}(>|`{3}|~{3})/.test(text)
}

/** For each line its text, for a blank one that of the next line that is none. */
function nextTexts(lines: readonly OutlineLine[]): string[] {
  const texts = lines.map(({ text }) => text)
  for (let at = texts.length - 2; at >= 0; at -= 1) {
    if (texts[at]?.trim() === '') texts[at] = texts[at + 1] ?? ''
  }
  return texts
}

/** The lines below the delimiter row of a table that has a head. */
function tableRows(lines: readonly OutlineLine[]): Set<number> {
  const rows = new Set<number>()
  let isInTable = false
  for (const [index, { text, isInFence }] of lines.entries()) {
    if (isInFence || !text.includes('|')) isInTable = false
    else if (isDelimiterRow(text)) isInTable = lines[index - 1]?.text.includes('|') === true
    else if (isInTable) rows.add(index)
  }
  return rows
}
