import { outline, type OutlineLine } from './sections-of.ts'

export interface Item {
  /** The entry with all that is indented below it, or the table row. */
  text: string
  /** Headings above it, outermost first. */
  headings: string[]
}

const bullet = /^(\s{0,3})(?:[-*+•]|\d{1,4}[.)、])\s+\S/
const rule = /^\s{0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/
const delimiterRow = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/

/** Top-level list entries and table rows, in order; fences hold none. */
export function itemsOf(text: string): Item[] {
  const items: Item[] = []
  const headings: { text: string; level: number }[] = []
  let open: Item | undefined
  const lines = outline(text)
  for (const [index, line] of lines.entries()) {
    if (line.heading) {
      while (headings.length > 0 && (headings.at(-1)?.level ?? 0) >= line.heading.level) headings.pop()
      headings.push(line.heading)
      open = undefined
      continue
    }
    const isNested = open !== undefined && /^\s{2}/.test(line.text) && !line.text.trimStart().startsWith('|')
    if (!isNested && startsItem(lines, index)) {
      open = { text: line.text, headings: headings.map(heading => heading.text) }
      items.push(open)
    } else if (open && belongs(lines, index)) open.text += `\n${line.text}`
    else open = undefined
  }
  return items
}

function startsItem(lines: readonly OutlineLine[], index: number): boolean {
  const line = lines[index]
  if (!line || line.isInFence) return false
  return (bullet.test(line.text) && !rule.test(line.text)) || isTableRow(lines, index)
}

/** Indented lines, lazy continuations and the blank lines between them. */
function belongs(lines: readonly OutlineLine[], index: number): boolean {
  const text = lines[index]?.text ?? ''
  if (text.trim() === '')
    return /^(\s{2,}|\t)\S/.test(lines.slice(index).find(line => line.text.trim() !== '')?.text ?? '')
  if (/^(\s{2,}|\t)/.test(text)) return true
  const isLazy = (lines[index - 1]?.text ?? '').trim() !== '' && !text.includes('|') && !rule.test(text)
  return isLazy && !/^\s{0,3}(>|`{3}|~{3})/.test(text)
}

function isTableRow(lines: readonly OutlineLine[], index: number): boolean {
  const text = lines[index]?.text ?? ''
  if (!text.includes('|') || delimiterRow.test(text)) return false
  for (let above = index - 1; above >= 0; above--) {
    const line = lines[above]
    if (!line || line.isInFence || !line.text.includes('|')) return false
    if (delimiterRow.test(line.text)) return lines[above - 1]?.text.includes('|') === true
  }
  return false
}
