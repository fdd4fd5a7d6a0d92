import { linksOf } from './checks/links-of.ts'

const longestSentence = 240

/**
 * A gathered text without the addresses in it: they are not the item's own, so
 * neither a reader nor the contract may take them for material.
 */
export function withoutAddresses(text: string): string {
  const worded = text.replace(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
  const links = linksOf(worded).sort((left, right) => right.text.length - left.text.length)
  return links.reduce((line, link) => line.replaceAll(link.text, ''), worded)
}

/** The first sentence of a text, cut with an ellipsis where it runs on; never inside a number. */
export function sentenceOf(text: string): string {
  const line = withoutAddresses(text).replace(/\s+/g, ' ').trim()
  const end = /[。！？]|[.!?](?=["')\]]*\s+[\p{Lu}\p{Lo}\p{N}"'([])/u.exec(line)
  const sentence = end && end.index < longestSentence ? line.slice(0, end.index + 1) : line
  return sentence.length <= longestSentence ? sentence : `${cutBeforeWord(sentence)}…`
}

/** At a space where one is near; a script without spaces is cut between its characters. */
function cutBeforeWord(text: string): string {
  let end = text.lastIndexOf(' ', longestSentence)
  if (end < longestSentence / 2) end = longestSentence
  while (end > 0 && (/[\d.,%]/.test(text.charAt(end - 1)) || /[\uDC00-\uDFFF]/.test(text.charAt(end))))
    end -= 1
  return text.slice(0, end).trimEnd()
}

/** One line in which nothing of a gathered text works as markup. */
export function inMarkdown(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*[\]<>|]/g, mark => `\\${mark}`)
    .replace(/^(#{1,6}|[-+>~]|\d+[.)])(?=\s|$)/, '\\$1')
}

export function linkTo(title: string, url: string): string {
  const label = inMarkdown(withoutAddresses(title)) || inMarkdown(url)
  const isPlain = /^[^\s()<>]*$/.test(url)
  return `[${label}](${isPlain ? url : `<${url.replace(/[\s<>]/g, encodeURIComponent)}>`})`
}
