import { type Millis, toIso } from '../core/millis.ts'

/** `20261130T180800.123Z`: an instant as a part of a file name; sorts by time. */
export function fileStamp(at: Millis): string {
  return toIso(at).replaceAll(/[-:]/g, '')
}
