import { remembered } from './remembered.ts'

/** Milliseconds since 1970-01-01T00:00:00Z. ISO 8601 on disk, this inside. */
export type Millis = number

/** Lists hold the same few moments many times. */
const mostMoments = 2_000

export const toIso: (at: Millis) => string = remembered(at => new Date(at).toISOString(), mostMoments)

/** Undefined when the text is no ISO instant. */
export const fromIso: (text: string) => Millis | undefined = remembered(text => {
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}, mostMoments)

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
