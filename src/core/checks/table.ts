export interface Cell {
  /** Of its column. */
  head: string
  text: string
}

/** Whether this is the line below the head of a table: `|---|:-:|`. */
export function isDelimiterRow(line: string): boolean {
  if (!line.includes('-') || /[^\s|:-]/.test(line)) return false
  const cells = cellTexts(line)
  return cells.length > 0 && cells.every(cell => /^:?-+:?$/.test(cell))
}

/** What stands between the bars; an escaped bar is text. */
export function cellTexts(line: string): string[] {
  const inner = line.trim()
  const from = inner.startsWith('|') ? 1 : 0
  const to = inner.length > from && inner.endsWith('|') && !inner.endsWith('\\|') ? -1 : inner.length
  return inner
    .slice(from, to)
    .split(/(?<!\\)\|/)
    .map(cell => cell.trim())
}

/** A row of a table, each cell with the head of its column; cells beyond the head have none. */
export function cellsOf(row: string, heads: readonly string[]): Cell[] {
  return cellTexts(row).map((text, index) => ({ head: heads[index] ?? '', text }))
}
