/*
 * The lines of one workspace in a user's crontab stand between two marks that
 * name it. Everything outside them is somebody else's: texts here may hold any
 * bytes, one character a byte, and come out as they went in.
 */

export type FoundBlock =
  | { kind: 'absent' }
  | {
      kind: 'found'
      /** Offsets of the whole block, its last newline included. */
      start: number
      end: number
      /** Without the marks and the line that holds the seal. */
      lines: string[]
      /** True when a person changed a line since it was written. */
      isEdited: boolean
      /** True when the text before had no newline at its end and got one. */
      addedNewline: boolean
    }
  | { kind: 'broken'; line: number; why: string }

/** A short digest of the lines, by which an edit is noticed. */
export type Seal = (body: string) => string

interface Mark {
  root: string
  seal: Seal
}

/** The block of the workspace `root`, which is spelt in the same bytes as `table`. */
export function findBlock(table: string, { root, seal }: Mark): FoundBlock {
  const open = marksOf(table, startMark(root))
  const close = marksOf(table, endMark(root))
  const [start] = open
  if (!start) return close[0] ? broken(close[0], 'has no first mark') : { kind: 'absent' }
  const [end] = close
  if (open[1]) return broken(open[1], 'is there a second time')
  if (!end) return broken(start, 'has no last mark')
  if (close[1]) return broken(close[1], 'has a second last mark')
  if (end.at < start.at) return broken(end, 'has its last mark first')
  const inner = linesOf(table.slice(start.next, end.at))
  const sealed = /^# .*\(seal ([0-9a-f]{8})(, newline added)?\)/.exec(inner[0] ?? '')
  const lines = sealed ? inner.slice(1) : inner
  return {
    kind: 'found',
    start: start.at,
    end: end.next,
    lines,
    isEdited: !sealed || sealed[1] !== seal(lines.join('\n')),
    addedNewline: sealed?.[2] !== undefined,
  }
}

/**
 * The table with these lines as its block: where the block stands, else before
 * the line that begins at `freshAt`, else at the end. A broken block must be
 * told before.
 */
export function withBlock(
  table: string,
  mark: Mark,
  lines: readonly string[],
  { freshAt }: { freshAt?: number | undefined } = {},
): string {
  const found = findBlock(table, mark)
  if (found.kind !== 'found') {
    if (freshAt !== undefined) return table.slice(0, freshAt) + blockText(mark, lines) + table.slice(freshAt)
    const addedNewline = table !== '' && !table.endsWith('\n')
    return `${table}${addedNewline ? '\n' : ''}${blockText(mark, lines, addedNewline)}`
  }
  const { start, end, addedNewline } = found
  return table.slice(0, start) + blockText(mark, lines, addedNewline) + table.slice(end)
}

/** The table as it was before `withBlock`. */
export function withoutBlock(table: string, mark: Mark): string {
  const found = findBlock(table, mark)
  if (found.kind !== 'found') return table
  const after = table.slice(found.end)
  const before = table.slice(0, found.start)
  return (found.addedNewline && after === '' ? before.replace(/\n$/, '') : before) + after
}

/** What install writes between the text before and the text after. */
export function blockText({ root, seal }: Mark, lines: readonly string[], addedNewline = false): string {
  const state = `seal ${seal(lines.join('\n'))}${addedNewline ? ', newline added' : ''}`
  const remark = `# made by claw cron install, which replaces what is changed here (${state})`
  return [startMark(root), remark, ...lines, endMark(root), ''].join('\n')
}

const startMark = (root: string): string => `# >>> claw ${root}`
const endMark = (root: string): string => `# <<< claw ${root}`

interface LineAt {
  at: number
  /** Where the next line begins. */
  next: number
  line: number
}

function marksOf(table: string, mark: string): LineAt[] {
  const found: LineAt[] = []
  let line = 1
  for (let at = 0; at < table.length; line++) {
    const newline = table.indexOf('\n', at)
    const next = newline === -1 ? table.length : newline + 1
    if (table.slice(at, next).replace(/\r?\n?$/, '') === mark) found.push({ at, next, line })
    at = next
  }
  return found
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\n/)
}

function broken({ line }: LineAt, why: string): FoundBlock {
  return { kind: 'broken', line, why }
}
