export interface Section {
  /** As written, without `#`. */
  heading: string
  level: number
  /** Lines below it, down to the next heading of the same or a higher level. */
  body: string
}

export interface OutlineLine {
  text: string
  isInFence: boolean
  heading: { text: string; level: number } | undefined
}

/** Lines with headings recognised; what is in a fence is none. A line that is bold as a whole counts as a heading of the lowest level. */
export function outline(text: string): OutlineLine[] {
  const lines = text.split(/\r?\n/)
  let fence = ''
  return lines.map((line, index) => {
    const marker = /^\s{0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    const wasInFence = fence !== ''
    if (!wasInFence) fence = marker
    else if (marker.startsWith(fence) && line.trim() === marker) fence = ''
    const isInFence = wasInFence || marker !== ''
    return { text: line, isInFence, heading: isInFence ? undefined : headingOf(line, lines[index + 1]) }
  })
}

/** What is longer is cut: nobody looks for such a heading. */
const longestHeading = 1000

export function sectionsOf(text: string): Section[] {
  const lines = outline(text)
  return lines.flatMap(({ heading }, index) => {
    if (!heading) return []
    const below = lines.slice(index + 1, sectionEnd(lines, index + 1, heading.level))
    const isSetext = /^\s{0,3}(=+|-+)\s*$/.test(below[0]?.text ?? '')
    return [
      {
        heading: heading.text,
        level: heading.level,
        body: below
          .slice(isSetext ? 1 : 0)
          .map(line => line.text)
          .join('\n'),
      },
    ]
  })
}

function sectionEnd(lines: readonly OutlineLine[], from: number, level: number): number {
  let end = from
  while (end < lines.length && (lines[end]?.heading?.level ?? level + 1) > level) end += 1
  return end
}

/** A heading as people compare it: no numbering, emoji, emphasis, punctuation or case. */
export function foldHeading(heading: string): string {
  return heading
    .normalize('NFKC')
    .replace(/\[([^[\]]{0,500})\]\([^)]{0,2000}\)/g, '$1')
    .replace(
      /^[\s\p{P}\p{S}\p{M}\u200D]*(?:(?:\d{1,3}|[ivx]{1,5}(?=[.)、])|[一二三四五六七八九十]{1,3}(?=[、.)\s]))[.)、:\s]+)*/iu,
      '',
    )
    .replace(/[\p{P}\p{S}\p{M}\u200D\s]+/gu, ' ')
    .trim()
    .toLowerCase()
}

/** Whether a heading is the one that is wanted; what follows a colon, dash or bracket is a remark. */
export function isHeading(heading: string, wanted: string): boolean {
  const goal = foldHeading(wanted)
  if (foldHeading(heading) === goal) return true
  const [name = ''] = heading.split(/\s*[:：(（|｜]|\s+[-–—·]\s+|——/)
  return foldHeading(name) === goal
}

function headingOf(line: string, next: string | undefined): { text: string; level: number } | undefined {
  const hashes = /^\s{0,3}(#{1,6})[ \t]/.exec(line)?.[1]
  if (hashes) return { text: withoutHashes(line.trim().slice(hashes.length)), level: hashes.length }
  const bold = /^\s{0,3}(?:\*\*|__)([^*_]{1,80})(?:\*\*|__)[:：]?\s*$/.exec(line)
  if (bold) return { text: bold[1] ?? '', level: 7 }
  const isSetext =
    /^\s{0,3}[^\s>#|*+-]/.test(line) && next !== undefined && /^\s{0,3}(={3,}|-{3,})\s*$/.test(next)
  return isSetext ? { text: line.trim(), level: next.trim().startsWith('=') ? 1 : 2 } : undefined
}

/** By position, because a pattern takes quadratic time on a line of blanks. */
function withoutHashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  return text.slice(0, end).trim().slice(0, longestHeading)
}
