import { decodeEntities } from './html-entity.ts'

/** Markup past this is not looked at; what is shown is far shorter. */
const markupCap = 40_000
const blockTag =
  /<\/?(?:p|br|div|li|ul|ol|h[1-6]|tr|td|th|table|section|article|header|footer|blockquote|pre|hr|dd|dt|figure|figcaption|img)\b[^<>]*>/gi
const anyTag = /<(?:\/?[a-z][^<>]*|[!?][^<>]*)>/gi
const controls = /(?![\t\n\r\v\f\u0085])\p{Cc}/gu
/** Bidirectional marks, zero-width characters, soft hyphen, tag characters and private selectors: all can hide text. */
const invisible =
  /\u034f|\u17b4|\u17b5|[\u00ad\u061c\u115f\u1160\u200b\u200c\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu
/** A joiner holds an emoji sequence together, and hides anywhere else. */
const looseJoiner =
  /(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d|\u200d(?!\p{Extended_Pictographic})/gu

/**
 * Markup as one line of text of at most `maxPoints` code points: tags gone,
 * references decoded once, whitespace folded, nothing invisible left.
 */
export function plainText(markup: string, maxPoints: number): string {
  let text = markup.slice(0, markupCap)
  text = withoutSpans(text, '<!--', '-->')
  text = withoutSpans(text, '<script', '</script>')
  text = withoutSpans(text, '<style', '</style>')
  text = text.replace(blockTag, ' ').replace(anyTag, '').replaceAll('<!--', ' ')
  return cutPoints(visibleLine(decodeEntities(text)), maxPoints)
}

/** One line without control, bidirectional and zero-width characters or half surrogates. */
export function visibleLine(text: string): string {
  return text
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(controls, '')
    .replace(invisible, '')
    .replace(looseJoiner, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** At most `maxPoints` code points, the last of them an ellipsis when something was cut. */
export function cutPoints(text: string, maxPoints: number): string {
  if (text.length <= maxPoints) return text
  const points = Array.from(text)
  if (points.length <= maxPoints) return text
  const kept = points.slice(0, maxPoints - 1).join('')
  return `${kept.replace(/[\s\u200d]+$/u, '')}…`
}

/** Without what lies between `open` and the next `close`; an `open` that is never closed stays. */
function withoutSpans(text: string, open: string, close: string): string {
  const lower = text.toLowerCase()
  let kept = ''
  let from = 0
  for (;;) {
    const start = lower.indexOf(open, from)
    const end = start === -1 ? -1 : lower.indexOf(close, start + open.length)
    if (end === -1) return kept + text.slice(from)
    kept += `${text.slice(from, start)} `
    from = end + close.length
  }
}
