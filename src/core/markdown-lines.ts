/** What must be repeated at the top of a new piece and closed at the end of the old one. */
export interface Frame {
  open: string
  close: string
}

/** A line of Markdown with what is open around it. */
export interface MarkdownLine {
  text: string
  /** Open before this line. */
  before: Frame | undefined
  /** Open after it. */
  after: Frame | undefined
  /** True when it should not be the last line of a piece: a heading, the start of a fence or of a table. */
  leads: boolean
}

interface OpenFence extends Frame {
  marker: string
  isQuoted: boolean
}

/** Containers in front of a fence: quote marks, list markers, indentation. */
const container = String.raw`(?:[ \t]{0,12}(?:>|[-*+](?=[ \t])|\d{1,4}[.)](?=[ \t]))?){0,4}[ \t]{0,12}`
const fenceStart = new RegExp(`^(${container})(\`{3,20}(?!\`)|~{3,20}(?!~))([^\\n]*)$`)
const delimiterRow = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

/** Lines with fences and tables recognised. A fence that is not closed is closed at the end. `limit` bounds what is repeated. */
export function markdownLines(text: string, limit: number): MarkdownLine[] {
  const lines = text.split('\n')
  const result: MarkdownLine[] = []
  let fence: OpenFence | undefined
  let table: Frame | undefined
  for (const [index, line] of lines.entries()) {
    if (fence && endsFence(line, fence)) {
      result.push({ text: fence.close, before: fence, after: undefined, leads: false })
      const isClosed = isClosing(line, fence)
      fence = undefined
      if (isClosed) continue
    }
    if (fence) {
      result.push({ text: line, before: fence, after: fence, leads: false })
      continue
    }
    const opened = openFence(line, limit)
    if (opened) {
      fence = opened.fence
      table = undefined
      result.push({ text: opened.first, before: undefined, after: fence, leads: true })
      if (opened.rest !== '') result.push({ text: opened.rest, before: fence, after: fence, leads: false })
      continue
    }
    table = tableAt(lines, index, table, limit)
    const isHeader = isTableHeader(lines, index)
    const isDelimiter = table !== undefined && isTableHeader(lines, index - 1)
    const inside = isHeader || isDelimiter ? undefined : table
    const leads = isHeader || isDelimiter || /^#{1,6}\s/.test(line)
    result.push({ text: line, before: inside, after: isHeader ? undefined : table, leads })
  }
  if (fence) result.push({ text: fence.close, before: fence, after: undefined, leads: false })
  return result
}

/** Whether this line, standing alone, would start a fence. */
export function startsFence(line: string): boolean {
  const match = fenceStart.exec(line)
  return match !== null && !(match[2]?.startsWith('`') && match[3]?.includes('`'))
}

function openFence(
  line: string,
  limit: number,
): { fence: OpenFence; first: string; rest: string } | undefined {
  const match = fenceStart.exec(line)
  if (!match || !startsFence(line)) return undefined
  const [, prefix = '', marker = '', tail = ''] = match
  const info = tail.trimEnd()
  if (prefix.length + marker.length > limit / 4) return undefined
  const isLong = prefix.length + marker.length + info.length > limit / 4
  // What repeats a list marker would start another item: only its width is kept.
  const again = prefix.replace(/[-*+]|\d+[.)]/g, part => ' '.repeat(part.length))
  const fence = {
    open: again + marker + (isLong ? '' : info),
    close: again + marker,
    marker,
    isQuoted: prefix.includes('>'),
  }
  return { fence, first: prefix + marker + (isLong ? '' : info), rest: isLong ? info.trim() : '' }
}

function endsFence(line: string, fence: OpenFence): boolean {
  return isClosing(line, fence) || (fence.isQuoted && !/^[ \t]*>/.test(line))
}

function isClosing(line: string, { marker, isQuoted }: OpenFence): boolean {
  const bare = line.replace(isQuoted ? /^[ \t>]+/ : /^[ \t]+/, '').trimEnd()
  return bare.length >= marker.length && bare === marker.charAt(0).repeat(bare.length)
}

function isTableHeader(lines: readonly string[], index: number): boolean {
  const header = lines[index]
  const delimiter = lines[index + 1]
  if (header === undefined || delimiter === undefined || !header.includes('|')) return false
  return (
    delimiter.includes('-') &&
    delimiter.includes('|') &&
    delimiterRow.test(delimiter) &&
    !delimiterRow.test(header)
  )
}

/** The table that is open after this line. A header longer than a third of the limit is not repeated. */
function tableAt(
  lines: readonly string[],
  index: number,
  open: Frame | undefined,
  limit: number,
): Frame | undefined {
  if (isTableHeader(lines, index - 1)) {
    const header = `${lines[index - 1]}\n${lines[index]}`
    return { open: header.length > limit / 3 ? '' : header, close: '' }
  }
  return open && lines[index]?.includes('|') ? open : undefined
}
