import { decodeEntities } from '../html-entity.ts'

/** Where a link goes, in the order of the text. */
export interface Link {
  url: string
  /** As written, for messages. */
  text: string
}

/** From the end of the label on: to look for its beginning here would take quadratic time. */
const inline =
  /\]\(\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()]|\([^\s()]*\))*\))*))(?:\s+(?:"[^"]*"|'[^']*'|\([^)]*\)))?\s*\)/g
/** Also in a quote or a list; a footnote is none. */
const definition =
  /^(?:[ \t>]|[-*+] |\d{1,9}[.)] ){0,20}\[(?!\^)([^\]\n]{1,200})\]:\s*<?([^\s>]+)>?(?=[ \t]*(?:$|["'(]))/gm
const reference = /!?\[([^\]\n]{1,500})\](?:\[([^\]\n]{0,200})\])(?!\()/g
const autolink =
  /<((?:[a-z][a-z0-9+.-]{1,31}:\/\/|(?:https?|ftp|mailto|tel|javascript|data|file):)[^\s<>]*)>/gi
const bare = /(?:https?:\/\/|www\.)[^\s<>"'`，。；、！？（）「」『』【】《》|\\^{}]+/gi
const html =
  /\b(?:href|src|srcset|action|formaction|poster|background)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gi

/**
 * Every address in the text however it is written: inline and reference links,
 * images, `<...>`, HTML attributes, bare addresses, and those in code too, because
 * a reader can follow them all the same. Links to files and headings are left out.
 */
export function linksOf(text: string): Link[] {
  const defined = matchesIn(text, definition, ']:')
  const definitions = new Map(defined.map(([, name = '', url = '']) => [name.toLowerCase().trim(), url]))
  const found: (Link & { at: number })[] = []
  const add = (at: number, url: string, whole: string): void => {
    if (isAddress(url)) found.push({ at, url: fullAddress(url), text: whole })
  }
  for (const match of matchesIn(text, inline, '](')) {
    const from = labelStart(text, match.index)
    add(from, target(match[1] ?? match[2] ?? ''), text.slice(from, match.index + match[0].length))
  }
  for (const match of defined) add(match.index, target(match[2] ?? ''), match[0])
  for (const match of matchesIn(text, reference, '][')) {
    const url = definitions.get((match[2] || match[1] || '').toLowerCase().trim())
    if (url !== undefined) add(match.index, target(url), match[0])
  }
  for (const match of matchesIn(text, autolink, '<')) add(match.index, match[1] ?? '', match[0])
  for (const match of matchesIn(text, html, '='))
    add(match.index, decoded(match[1] ?? match[2] ?? match[3] ?? ''), match[0])
  const rest = text.replace(inline, whole => blank(whole, 1)).replace(autolink, whole => blank(whole, 0))
  for (const match of rest.matchAll(bare)) add(match.index, trimmedEnd(match[0]), trimmedEnd(match[0]))
  return found.sort((a, b) => a.at - b.at).map(({ url, text: whole }) => ({ url, text: whole }))
}

/** Most texts have few kinds of links; `sign` is in every match. */
function matchesIn(text: string, pattern: RegExp, sign: string): RegExpExecArray[] {
  return text.includes(sign) ? [...text.matchAll(pattern)] : []
}

const longestLabel = 500

/** Where the label that ends here begins, its `!` included; the end itself where that is too far away. */
function labelStart(text: string, end: number): number {
  let open = 1
  for (let at = end - 1; at >= Math.max(0, end - longestLabel); at -= 1) {
    if (text[at] === ']') open += 1
    else if (text[at] === '[') open -= 1
    if (open === 0) return text[at - 1] === '!' ? at - 1 : at
  }
  return end
}

/** Keeps the words of a link, so that an address in them is seen, and takes out its target. */
function blank(whole: string, from: number): string {
  return whole.slice(0, from) + ' '.repeat(whole.length - from)
}

/** What a reader of Markdown makes of a target: `https\://x` and `&#104;ttps://x` go where `https://x` does. */
function target(written: string): string {
  return decoded(written.replace(/\\([!-/:-@[-`{-~])/g, '$1'))
}

/** Browsers leave out tabs and line ends, and what is invisible before an address. */
function decoded(written: string): string {
  // oxlint-disable-next-line no-control-regex
  return decodeEntities(written).replace(/[\t\n\r]|^[\u0000-\u0020]+|[\u0000-\u0020]+$/g, '')
}

function isAddress(url: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|[/\\]{2}|www\.)/i.test(url)
}

function fullAddress(url: string): string {
  if (/^[/\\]{2}/.test(url)) return `https://${url.slice(2)}`
  return /^www\./i.test(url) ? `https://${url}` : url.replaceAll('&amp;', '&')
}

/** Punctuation behind an address belongs to the sentence; a bracket only where none was opened. */
function trimmedEnd(url: string): string {
  let end = url.length
  const surplus = { ')': countOf(url, ')') - countOf(url, '('), ']': countOf(url, ']') - countOf(url, '[') }
  for (;;) {
    const last = url.charAt(end - 1)
    if (last === ')' || last === ']') {
      if (surplus[last] <= 0) return url.slice(0, end)
      surplus[last] -= 1
    } else if (!/[.,;:!?*_~]/.test(last)) return url.slice(0, end)
    end -= 1
  }
}

function countOf(text: string, character: string): number {
  return text.split(character).length - 1
}
