/** Parameters that only tell where a click came from. */
const trackingNames = new Set(
  (
    'fbclid gclid dclid gbraid wbraid msclkid twclid ttclid yclid igshid igsh li_fat_id epik ' +
    'mc_cid mc_eid mkt_tok _hsenc _hsmi hsctatracking vero_id oly_enc_id oly_anon_id _openstat ' +
    'ref ref_src ref_url referrer spm scm cmpid cmp ncid smid xtor trk trkinfo guccounter guce_referrer ' +
    'guce_referrer_sig s_cid sr_share share_from share_source wt_mc wt.mc_id ito rss __twitter_impression'
  ).split(' '),
)
const trackingFamily = /^(?:utm|at|pk|piwik|mtm|matomo|hsa)_/

/**
 * The key under which two links count as one: tracking parameters, scheme,
 * `www.`, default port, trailing slash and fragment do not matter, and all
 * forms and versions of an arXiv paper are one. Parameters keep their order.
 * It is a key, not a link: what is shown stays the input's own address.
 * Undefined for anything but http(s).
 */
export function canonicalUrl(text: string): string | undefined {
  const url = parseWebUrl(text)
  if (!url) return undefined
  const host = canonicalHost(url)
  const paper = arxivId(text)
  if (paper !== undefined) return `https://arxiv.org/abs/${paper}`
  const path = url.pathname.replace(/%[0-9a-f]{2}/gi, unescapeUnreserved).replace(/\/+$/, '')
  return `https://${host}${path}${canonicalQuery(url.search)}${routeOf(url.hash)}`
}

/** Of any form of an arXiv link or its DOI, without the version: `2611.01234`, `math.GT/0309136`. */
export function arxivId(text: string): string | undefined {
  const url = parseWebUrl(text)
  if (!url) return undefined
  const host = url.hostname.replace(/^(?:www|export)\./, '')
  const place =
    host === 'arxiv.org'
      ? /^\/+(?:abs|pdf|html|ps|format|e-print)\/+(.+)$/i
      : /^(?:dx\.)?doi\.org$/.test(host)
        ? /^\/10\.48550\/arxiv\.(.+)$/i
        : undefined
  const rest = place
    ?.exec(url.pathname)?.[1]
    ?.replace(/\.pdf$/i, '')
    .replace(/\/+$/, '')
  const match = /^(\d{4}\.\d{4,5}|[a-z-]+(?:\.[a-z]{2})?\/\d{7})(?:v\d+)?$/i.exec(rest ?? '')
  return match?.[1]
}

/** Undefined for what is no absolute http(s) address. */
export function parseWebUrl(text: string): URL | undefined {
  const trimmed = text.trim()
  if (!/^https?:\/\//i.test(trimmed) || !URL.canParse(trimmed)) return undefined
  const url = new URL(trimmed)
  return url.hostname === '' ? undefined : url
}

function canonicalHost({ hostname, port }: URL): string {
  const bare = hostname.replace(/\.$/, '')
  const host = /^www\..+\../.test(bare) ? bare.slice('www.'.length) : bare
  return port === '' || port === '80' || port === '443' ? host : `${host}:${port}`
}

function canonicalQuery(search: string): string {
  const kept = search
    .slice(1)
    .split('&')
    .filter(pair => pair !== '' && !isTracking(pair))
  return kept.length === 0 ? '' : `?${kept.join('&')}`
}

function isTracking(pair: string): boolean {
  const [name = '', value = ''] = pair.toLowerCase().split('=', 2)
  return (
    trackingFamily.test(name) || trackingNames.has(name) || (name === 'source' && value.startsWith('rss'))
  )
}

/** A fragment names a place in a page, except where a page is an app and keeps its route there. */
function routeOf(hash: string): string {
  return /^#!?\/./.test(hash) ? hash.replace(/\/+$/, '') : ''
}

function unescapeUnreserved(escape: string): string {
  const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16))
  return /[\w.~-]/.test(character) ? character : escape.toUpperCase()
}
