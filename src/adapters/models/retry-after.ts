import type { Millis } from '../../core/millis.ts'

/**
 * Milliseconds that the provider asks to be left alone; undefined when it does not
 * say. `retry-after` may be seconds or a date, which is read against the server's own
 * `date` so that a wrong clock on either side does not matter.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: Millis): number | undefined {
  const exact = headers['retry-after-ms']?.trim()
  if (exact !== undefined && isNumber(exact)) return Math.ceil(Number(exact))
  const text = headers['retry-after']?.trim()
  if (text === undefined) return undefined
  if (isNumber(text)) return Math.ceil(Number(text) * 1000)
  const at = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return undefined
  const serverNow = Date.parse(headers['date'] ?? '')
  return Math.max(0, at - (Number.isNaN(serverNow) ? now : serverNow))
}

function isNumber(text: string): boolean {
  return /^\d{1,9}(\.\d+)?$/.test(text)
}
