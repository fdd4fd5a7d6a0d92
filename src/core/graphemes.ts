let loaded: Intl.Segmenter | undefined

/** Made at the first cut: the first use of Intl costs a process 20 ms. */
function segmenter(): Intl.Segmenter {
  return (loaded ??= new Intl.Segmenter('und', { granularity: 'grapheme' }))
}

/** What should stay in one piece: code, links, addresses. */
const whole = /`[^`\n]+`|!?\[[^\]\n]*\]\([^)\s]*\)|https?:\/\/[^\s<>]+|<[^>\s]+>|\*\*[^*\n]+\*\*/g
const breaks = /\s+|[。！？；，、：）」』】]/gu

/**
 * Cuts text into pieces of at most `room` UTF-16 units: at a blank or after CJK
 * punctuation, outside links and code where that is possible, and never inside
 * what a person sees as one character unless that alone is longer than `room`.
 */
export function splitText(text: string, room: number, firstRoom = room): string[] {
  const pieces: string[] = []
  let rest = text
  let space = firstRoom
  while (rest.length > space) {
    const at = cutPoint(rest, space)
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at)
    space = room
  }
  if (rest !== '' || pieces.length === 0) pieces.push(rest)
  return pieces
}

/** The last place at or before `index` where no visible character is cut; 0 when the first one is longer. */
export function graphemeBoundary(text: string, index: number): number {
  if (index >= text.length) return text.length
  // Longer than `index`, so that the character at it is seen.
  return (
    segmenter()
      .segment(text.slice(0, index + 64))
      .containing(index)?.index ?? index
  )
}

function cutPoint(text: string, room: number): number {
  const spans = [...text.slice(0, room * 2).matchAll(whole)].map(
    match => [match.index, match.index + match[0].length] as const,
  )
  const isInside = (at: number): boolean => spans.some(([from, to]) => from < at && at < to)
  const window = text.slice(0, room)
  const candidates = [...window.matchAll(breaks)].map(match => match.index + match[0].length).reverse()
  const nice = candidates.find(at => at >= room / 2 && !isInside(at) && graphemeBoundary(text, at) === at)
  if (nice !== undefined) return nice
  const hard = graphemeBoundary(text, room)
  const around = spans.find(([from, to]) => from < hard && hard < to)
  if (around && around[0] >= room / 3 && graphemeBoundary(text, around[0]) === around[0]) return around[0]
  return hard > 0 ? hard : codePointBoundary(text, room)
}

function codePointBoundary(text: string, room: number): number {
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(room - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(room))
  return Math.max(1, isSplit ? room - 1 : room)
}
