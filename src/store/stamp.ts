import { type Millis, toIso } from '../core/millis.ts'

/** `2026-11-28T00-30`: a due moment (UTC) as a part of a file name or key. */
export function slotStamp(at: Millis): string {
  return toIso(at).slice(0, 16).replace(':', '-')
}

/** `20261130T180800.123Z`: an instant as a part of a file name; sorts by time. */
export function fileStamp(at: Millis): string {
  return toIso(at).replaceAll(/[-:]/g, '')
}
