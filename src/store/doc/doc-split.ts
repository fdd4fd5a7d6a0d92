export interface DocParts {
  bom: boolean
  /** Of the first line. */
  eol: '\n' | '\r\n'
  /** What follows the opening dashes, as in `---toml`; empty for YAML. */
  language: string
  /** Between the dashes, as it is in the file; undefined when there is none. */
  front: { start: number; end: number } | undefined
  /** Offset at which the body begins. */
  bodyStart: number
}

export type DocSplit = DocParts | { unclosed: true }

/**
 * Finds the frontmatter: the first line is three dashes, and it ends at the next
 * line that is exactly three dashes, so that dashes inside a value do not end it.
 * A first line of dashes without a closer is a rule of Markdown, unless a key
 * follows: then it is `unclosed`, since reading on without it would drop limits.
 */
export function splitDoc(source: string): DocSplit {
  const bom = source.startsWith('\ufeff')
  const textStart = bom ? 1 : 0
  const eol = /^[^\n]*\r\n/.test(source) ? '\r\n' : '\n'
  const opener = /^---([A-Za-z][\w+-]*)?[ \t]*\r?(?:\n|$)/.exec(source.slice(textStart))
  if (opener === null) return { bom, eol, language: '', front: undefined, bodyStart: textStart }
  const start = textStart + opener[0].length
  const closer = /^---[ \t]*\r?(?:\n|$)/m
  const found = closerFrom(source, start, closer)
  if (found !== undefined) {
    const front = { start, end: found.start }
    return { bom, eol, language: opener[1] ?? '', front, bodyStart: found.end }
  }
  const firstLine = /^\s*([^\n]*)/.exec(source.slice(start))?.[1] ?? ''
  if (/^["']?[\w-]+["']?\s*:/.test(firstLine)) return { unclosed: true }
  return { bom, eol, language: '', front: undefined, bodyStart: textStart }
}

function closerFrom(
  source: string,
  start: number,
  closer: RegExp,
): { start: number; end: number } | undefined {
  const match = closer.exec(source.slice(start))
  if (match === null) return undefined
  return { start: start + match.index, end: start + match.index + match[0].length }
}
