import { widthOf } from './columns.ts'

/** What a table gives up on a narrow terminal. Columns are counted from 0. */
export interface NarrowTable {
  /** Columns that go, in this order, until the rest fits. */
  drops?: readonly number[]
  /** What the last column needs, where it may be cut. */
  leastLast?: number
  /** The column that is cut when nothing is left to drop. */
  shrinks?: number
}

export interface TableColumn {
  at: number
  width: number
}

const gap = 2
/** Fewer characters tell no name from another. */
const leastShrunk = 8

/** The columns that are shown on so many columns of a terminal, with their widths. */
export function fittingColumns(
  rows: readonly (readonly string[])[],
  available: number,
  { drops = [], leastLast, shrinks }: NarrowTable,
): TableColumn[] {
  const count = Math.max(0, ...rows.map(row => row.length))
  let columns = Array.from({ length: count }, (_, at): TableColumn => {
    return { at, width: Math.max(0, ...rows.map(row => widthOf(row[at] ?? ''))) }
  })
  const needed = (): number =>
    columns.reduce((sum, { at, width }) => {
      const isCut = at === count - 1 && leastLast !== undefined
      return sum + gap + (isCut ? Math.min(width, leastLast) : width)
    }, -gap)
  for (const drop of drops) {
    if (needed() <= available) break
    columns = columns.filter(({ at }) => at !== drop)
  }
  const tooMuch = needed() - available
  if (tooMuch <= 0 || shrinks === undefined) return columns
  return columns.map(column =>
    column.at === shrinks ? { ...column, width: Math.max(leastShrunk, column.width - tooMuch) } : column,
  )
}
