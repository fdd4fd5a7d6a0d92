import { remembered } from './remembered.ts'
import { secretShapes } from './secret-shapes.ts'

/** Shorter values are words as likely as secrets. */
const minSecretLength = 6

/** `ab://:abc@d`: no shape of a token is shorter. Most names of members are. */
const shortestShape = 11

const marker = /\[masked:[a-z0-9-]+\]/g

/**
 * A function that puts `[masked:kind]` in place of every known secret value, in
 * whatever form it is written, and of everything that has the shape of a token.
 * Masking twice changes nothing.
 */
export function masker(secrets: readonly string[]): (text: string) => string {
  const known = knownValues(secrets)
  return text => {
    const masked = known ? text.replace(known, '[masked:secret]') : text
    if (masked.length < shortestShape) return masked
    return masked.length <= longestWord ? withoutShapesKnown(masked) : withoutShapes(masked)
  }
}

/** Names of members, and what a message says of itself, are the same in each of them. */
const longestWord = 64
const withoutShapesKnown = remembered(withoutShapes, 2_000)

function withoutShapes(text: string): string {
  let masked = text
  for (const { kind, hint, pattern, group } of secretShapes) {
    if (hint !== undefined && !masked.includes(hint)) continue
    masked = masked.replace(pattern, (match: string, ...groups: unknown[]) => {
      const inner = group === undefined ? undefined : groups[group - 1]
      return typeof inner === 'string' ? replaceLast(match, inner, `[masked:${kind}]`) : `[masked:${kind}]`
    })
  }
  return masked
}

/** The same value with every text in it masked. Not of the value as JSON: a mask may take a quote with it. */
export function maskedDeep<T>(value: T, mask: (text: string) => string): T
export function maskedDeep(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value)
  if (Array.isArray(value)) return value.map(member => maskedDeep(member, mask))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [mask(name), maskedMember(name, member, mask)]),
  )
}

/** The name tells of some values that they are secret, as in `api_key: ...`. */
function maskedMember(name: string, member: unknown, mask: (text: string) => string): unknown {
  if (typeof member !== 'string') return maskedDeep(member, mask)
  const head = `${name}: `
  const named = mask(head + member)
  return named.startsWith(head) ? named.slice(head.length) : mask(member)
}

/** True when `after` holds more masks than `before`: a model is about to write a mask where the secret was. */
export function addsMask(before: string, after: string): boolean {
  return countMasks(after) > countMasks(before)
}

function countMasks(text: string): number {
  return text.match(marker)?.length ?? 0
}

function replaceLast(text: string, part: string, by: string): string {
  const at = text.lastIndexOf(part)
  return text.slice(0, at) + by + text.slice(at + part.length)
}

function knownValues(secrets: readonly string[]): RegExp | undefined {
  const forms = new Set(secrets.filter(secret => secret.trim().length >= minSecretLength).flatMap(formsOf))
  const sources = [...forms].sort((a, b) => b.length - a.length).map(escapeRegExp)
  return sources.length === 0 ? undefined : new RegExp(sources.join('|'), 'g')
}

/** The value as it is and as URLs, JSON, base64 and HTML write it. */
function formsOf(secret: string): string[] {
  const trimmed = secret.trim()
  const forms = [secret, trimmed, JSON.stringify(trimmed).slice(1, -1), trimmed.replaceAll('&', '&amp;')]
  const url = encodeUrl(trimmed)
  forms.push(
    url,
    url.replaceAll(/%[0-9A-F]{2}/g, code => code.toLowerCase()),
    url.replaceAll('%20', '+'),
  )
  for (const base64 of base64Forms(trimmed)) {
    forms.push(base64, base64.replaceAll('+', '-').replaceAll('/', '_'))
  }
  return forms.filter(form => form.length >= minSecretLength)
}

function encodeUrl(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, ''))
}

/**
 * What is sure to appear when the value stands anywhere in a text that is base64
 * encoded (`user:secret` of a Basic header): one form for each of three offsets.
 */
function base64Forms(secret: string): string[] {
  const bytes = new TextEncoder().encode(secret)
  if (bytes.length < 8) return [toBase64(bytes)]
  return [0, 1, 2].map(offset => {
    const shifted = new Uint8Array(offset + bytes.length)
    shifted.set(bytes, offset)
    const firstWhole = Math.ceil((offset * 8) / 6)
    const lastWhole = Math.floor(((offset + bytes.length) * 8) / 6)
    return toBase64(shifted).slice(firstWhole, lastWhole)
  })
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
