/** A text cut to a budget with a marker in the gap, so that nobody takes the part for the whole. */
export interface Cut {
  text: string
  isCut: boolean
  /** Characters (UTF-16 units) before the cut. */
  rawChars: number
}

const markerRoom = 160

/**
 * Keeps 75 % from the head and 25 % from the tail (shared with OpenClaw's
 * bootstrap rule) and says in the gap what was left out and where the rest is.
 */
export function truncateMiddle(text: string, maxChars: number, where: string): Cut {
  const rawChars = text.length
  if (rawChars <= maxChars) return { text, isCut: false, rawChars }
  const room = Math.max(0, maxChars - markerRoom)
  const head = cutAt(text, Math.floor(room * 0.75))
  const tail = tailOf(text, Math.floor(room * 0.25))
  const marker = `\n\n[... cut: ${head.length} + ${tail.length} of ${rawChars} characters are shown; the rest is in ${where} ...]\n\n`
  return { text: head + marker + tail, isCut: true, rawChars }
}

/** The first `length` units, one fewer where that would split a surrogate pair. */
export function cutAt(text: string, length: number): string {
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(length - 1)) && length < text.length
  return text.slice(0, isSplit ? length - 1 : length)
}

/** The last `length` units, one fewer where that would split a surrogate pair. */
export function tailOf(text: string, length: number): string {
  const from = text.length - length
  return text.slice(/[\uDC00-\uDFFF]/.test(text.charAt(from)) ? from + 1 : from)
}
