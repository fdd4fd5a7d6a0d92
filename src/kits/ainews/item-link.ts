import { parseWebUrl } from '../../core/canonical-url.ts'
import type { RawItem } from './raw-feed.ts'

/**
 * The address of an item: its first link that is or resolves to http(s). An
 * absolute link is kept as the feed wrote it. `bases` in order of preference.
 */
export function itemLink(item: RawItem, bases: readonly string[]): string | undefined {
  for (const candidate of item.links) {
    const link = webLink(candidate, bases)
    if (link !== undefined) return link
  }
  return item.ids.map(id => webLink(id, [])).find(link => link !== undefined)
}

/** Undefined for other schemes and for addresses that carry a user name. */
export function webLink(text: string, bases: readonly string[]): string | undefined {
  const written = text.replace(/[\t\n\r]/g, '').trim()
  if (written === '') return undefined
  if (/^[a-z][a-z0-9+.-]*:/i.test(written)) {
    const url = parseWebUrl(written)
    if (!url || url.username !== '' || url.password !== '') return undefined
    // A backslash is a slash to a browser and an escape to Markdown; so it is written as what it means.
    return asTarget(/^[^\s<>"\\\p{C}]+$/u.test(written) ? written : url.href)
  }
  for (const base of rooted(bases)) {
    const url = URL.canParse(written, base) ? new URL(written, base) : undefined
    if (url && /^https?:$/.test(url.protocol)) return asTarget(url.href)
  }
  return undefined
}

/** An address in which Markdown would see the end of one link and the start of another has its brackets escaped. */
function asTarget(address: string): string {
  if (!/[\])]\s*[[(]/.test(address)) return address
  return address.replace(/[()[\]]/g, mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** Bases that are absolute, each relative one resolved against the next absolute one. */
function rooted(bases: readonly string[]): string[] {
  return bases.flatMap((base, index) => {
    if (parseWebUrl(base)) return [base.trim()]
    const under = bases.slice(index + 1).find(other => parseWebUrl(other))
    return base !== '' && under !== undefined && URL.canParse(base, under) ? [new URL(base, under).href] : []
  })
}
