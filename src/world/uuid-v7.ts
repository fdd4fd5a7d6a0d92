import type { Millis } from '../core/millis.ts'

/** RFC 9562 version 7 from the time and 20 hex digits of randomness. */
export function uuidV7(at: Millis, randomHex: string): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0').slice(-12)
  const variant = ((Number.parseInt(randomHex[3] ?? '0', 16) & 0x3) | 0x8).toString(16)
  return [
    time.slice(0, 8),
    time.slice(8),
    `7${randomHex.slice(0, 3)}`,
    `${variant}${randomHex.slice(4, 7)}`,
    randomHex.slice(7, 19),
  ].join('-')
}
