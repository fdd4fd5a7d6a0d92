/**
 * What a strict reader stumbles over and no feed means: bytes before the first
 * tag, control characters, an `&` that starts no reference, and a `<` that starts
 * no tag, over many of which the reader needs hours. The document type goes too,
 * so that no entity it declares can grow or reach outside.
 */
export function tidyXml(text: string): string {
  const start = text.indexOf('<')
  const body = text.slice(Math.max(start, 0)).replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu, '')
  return outsideCdata(withoutDoctype(body), part =>
    part
      .replace(/&(?!(?:#\d{1,8}|#x[0-9a-f]{1,8}|[a-z_][\w.-]{0,40});)/gi, '&amp;')
      .replace(/<(?![!?])(?=[^<>]*(?:<|$))/g, '&lt;'),
  )
}

const itemEnd: readonly (readonly [end: string, closing: string])[] = [
  ['</item>', '</channel></rss>'],
  ['</entry>', '</feed>'],
]

/**
 * A feed that breaks off or breaks down, up to its last whole item. Undefined
 * when it holds no whole item.
 */
export function upToLastItem(text: string): string | undefined {
  const lower = text.toLowerCase()
  for (const [end, closing] of itemEnd) {
    const at = lower.lastIndexOf(end)
    if (at === -1) continue
    const isRdf = end === '</item>' && /<rdf:rdf[\s>]/.test(lower)
    return text.slice(0, at + end.length) + (isRdf ? '</rdf:RDF>' : closing)
  }
  return undefined
}

function withoutDoctype(text: string): string {
  const at = text.search(/<!doctype/i)
  const root = text.search(/<(?:rss|feed|channel|rdf:rdf)[\s>]/i)
  if (at === -1 || (root !== -1 && root < at)) return text
  return text.slice(0, at) + text.slice(at).replace(/^<!doctype[^>[]*(?:\[[\s\S]*?\]\s*)?>/i, '')
}

function outsideCdata(text: string, change: (part: string) => string): string {
  const pieces: string[] = []
  let from = 0
  for (;;) {
    const start = text.indexOf('<![CDATA[', from)
    const end = start === -1 ? -1 : text.indexOf(']]>', start)
    if (end === -1) {
      pieces.push(change(text.slice(from)))
      return pieces.join('')
    }
    pieces.push(change(text.slice(from, start)), text.slice(start, end))
    from = end
  }
}
