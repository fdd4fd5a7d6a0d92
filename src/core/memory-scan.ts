export interface MemoryFile {
  /** Relative to the workspace. */
  path: string
  text: string
}

export interface MemoryHit {
  path: string
  /** From 1. */
  startLine: number
  endLine: number
  /** Share of the query that was found, in (0, 1]. */
  score: number
  snippet: string
  source: 'memory'
  /** `path#L3-L7` */
  citation: string
}

export interface MemoryQuery {
  query: string
  /** Default 6. */
  maxResults?: number
  /** Default 0.3: a third of the words. */
  minScore?: number
}

const snippetChars = 700
const passageLines = 12

/**
 * Plain search: which passages hold most of the words, without regard to case
 * and width. Text without blanks (Chinese, Japanese) is compared by pairs of
 * characters.
 */
export function scanMemory(
  files: readonly MemoryFile[],
  { query, maxResults = 6, minScore = 0.3 }: MemoryQuery,
): MemoryHit[] {
  const terms = termsOf(query)
  if (terms.length === 0) return []
  const phrase = fold(query).trim()
  const hits: MemoryHit[] = []
  for (const { path, text } of files) {
    for (const passage of passagesOf(text)) {
      const score = scoreOf(fold(passage.lines.join('\n')), terms, phrase)
      if (score >= minScore) hits.push(hitOf(path, passage, score, terms))
    }
  }
  return hits
    .sort(
      (a, b) => b.score - a.score || (a.path < b.path ? 1 : a.path > b.path ? -1 : a.startLine - b.startLine),
    )
    .slice(0, maxResults)
}

interface Passage {
  startLine: number
  lines: string[]
}

/** Headings start a passage; a blank line ends one that is long enough. */
function passagesOf(text: string): Passage[] {
  const passages: Passage[] = []
  let current: Passage | undefined
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const isFull = current !== undefined && current.lines.length >= passageLines
    if (!current || /^#{1,6}\s/.test(line) || isFull) {
      current = { startLine: index + 1, lines: [] }
      passages.push(current)
    }
    current.lines.push(line)
  }
  return passages.filter(({ lines }) => lines.some(line => line.trim() !== ''))
}

function scoreOf(text: string, terms: readonly string[], phrase: string): number {
  const found = terms.filter(term => text.includes(term)).length / terms.length
  return text.includes(phrase) ? 1 : Math.round(found * 0.95 * 1000) / 1000
}

function hitOf(
  path: string,
  { startLine, lines }: Passage,
  score: number,
  terms: readonly string[],
): MemoryHit {
  const last = lines.findLastIndex(line => line.trim() !== '')
  const kept = lines.slice(0, last + 1)
  const endLine = startLine + last
  const snippet = snippetOf(kept, terms)
  return {
    path,
    startLine,
    endLine,
    score,
    snippet,
    source: 'memory',
    citation: `${path}#L${startLine}-L${endLine}`,
  }
}

/** The lines around the first match, as much as a snippet holds. */
function snippetOf(lines: readonly string[], terms: readonly string[]): string {
  const first = Math.max(
    0,
    lines.findIndex(line => terms.some(term => fold(line).includes(term))),
  )
  const whole = lines.join('\n')
  if (whole.length <= snippetChars) return whole
  return [...lines.slice(Math.max(0, first - 1)).join('\n')].slice(0, snippetChars).join('')
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu

function termsOf(query: string): string[] {
  const folded = fold(query)
  const words = folded.replace(cjk, ' ').match(/[\p{L}\p{N}_][\p{L}\p{N}_.-]*/gu) ?? []
  const pairs = (folded.match(cjk) ?? []).flatMap(run => {
    const chars = [...run]
    return chars.length < 2 ? chars : chars.slice(1).map((char, index) => `${chars[index]}${char}`)
  })
  return [...new Set([...words, ...pairs])]
}
