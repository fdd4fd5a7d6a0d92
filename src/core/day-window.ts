import { type Decode, DecodeProblem, dotted, filledText } from './decode.ts'

/** A part of each day, in minutes after local midnight; `from` after `to` goes over midnight. */
export interface DayWindow {
  from: number
  to: number
}

const clockPattern = /^([01]\d|2[0-3]):([0-5]\d)$/

/** `22:00`, kept as it is. */
export const clockTime: Decode<string> = (value, path) => {
  const given = filledText(value, path).trim()
  if (clockPattern.test(given)) return given
  throw new DecodeProblem(path, `\`${dotted(path)}\` must be a time such as "07:30", not ${given}`)
}

/** `07:00-23:00`; `24:00` is midnight at the end. Equal ends are refused: they could mean always or never. */
export const dayWindow: Decode<DayWindow> = (value, path) => {
  const given = filledText(value, path).trim()
  const [from, to, ...more] = given.split('-').map(minutesOf)
  if (from !== undefined && to !== undefined && more.length === 0 && from !== to) return { from, to }
  throw new DecodeProblem(path, `\`${dotted(path)}\` must be two times such as "07:00-23:00", not ${given}`)
}

/** Undefined when the text is no time of day. */
export function minutesOf(time: string): number | undefined {
  if (time.trim() === '24:00') return 24 * 60
  const [, hours, minutes] = clockPattern.exec(time.trim()) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

/** Is this local time (`HH:MM`) in the window? Its end is outside. */
export function isWithin({ from, to }: DayWindow, time: string): boolean {
  const at = minutesOf(time) ?? 0
  return from < to ? at >= from && at < to : at >= from || at < to
}

export function windowText({ from, to }: DayWindow): string {
  return `${clockText(from)}-${clockText(to)}`
}

function clockText(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
