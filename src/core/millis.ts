/** Milliseconds since 1970-01-01T00:00:00Z. ISO 8601 on disk, this inside. */
export type Millis = number

export function toIso(at: Millis): string {
  return new Date(at).toISOString()
}

/** Undefined when the text is no ISO instant. */
export function fromIso(text: string): Millis | undefined {
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : at
}

export const secondMs = 1000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs
