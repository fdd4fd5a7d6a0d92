/**
 * The line (from 1) of the first git conflict: the three markers in their order
 * at line starts. Undefined when there is none, or only inside a fenced block,
 * where it is an example.
 */
export function conflictLine(text: string): number | undefined {
  if (!text.includes('<<<<<<<')) return undefined
  let openedAt: number | undefined
  let isSplit = false
  let fence: string | undefined
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trimEnd()
    fence = fenceAfter(line, fence)
    if (fence !== undefined) continue
    if (/^<{7}( |$)/.test(line)) [openedAt, isSplit] = [index + 1, false]
    else if (openedAt !== undefined && /^={7}$/.test(line)) isSplit = true
    else if (openedAt !== undefined && isSplit && /^>{7}( |$)/.test(line)) return openedAt
  }
  return undefined
}

/** The fence that is open after this line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]
  if (mark === undefined) return open
  if (open === undefined) return mark
  return mark.startsWith(open) && line.trim() === mark ? undefined : open
}
