import { ClawError } from '../../core/claw-error.ts'
import {
  type Decode,
  DecodeProblem,
  filledText,
  flag,
  listOf,
  objectOf,
  optional,
  type Path,
  text,
} from '../../core/decode.ts'
import { feedDate } from '../../core/feed-date.ts'
import { dayMs, type Millis } from '../../core/millis.ts'

export interface Source {
  name: string
  /** `http:`, `https:` or `file:`; a `file:` path is absolute or relative to the workspace, and may be a folder. */
  url: string
  category: string
  enabled: boolean
  /** Why it is not enabled. */
  reason: string
}

export interface SourceList {
  /** As written; the day for which a list of dated samples stands. */
  asOf: string | undefined
  sources: Source[]
}

const sourceUrl: Decode<string> = (value, path) => {
  const url = filledText(value, path).trim()
  if (/^https?:\/\/./i.test(url) || /^file:./i.test(url)) return url
  throw new DecodeProblem(path, `\`url\` must start with https://, http:// or file:, not ${url.slice(0, 40)}`)
}

const dateText: Decode<string> = (value, path) => {
  const written = filledText(value, path)
  if (feedDate(written) !== undefined) return written
  throw new DecodeProblem(path, `\`asOf\` must be a date such as 2026-11-28, not ${written.slice(0, 40)}`)
}

const sourceList: Decode<SourceList> = objectOf({
  asOf: optional(dateText, undefined),
  sources: listOf(
    objectOf({
      name: filledText,
      url: sourceUrl,
      category: optional(filledText, 'other'),
      enabled: optional(flag, true),
      reason: optional(text, ''),
    }),
  ),
})

/** `lineOf` tells the line of a member, for the message. */
export function decodeSourceList(file: string, value: unknown, lineOf: (path: Path) => number): SourceList {
  try {
    return sourceList(value, [])
  } catch (error) {
    if (!(error instanceof DecodeProblem)) throw error
    throw new ClawError('config-invalid', `${file}:${lineOf(error.path)}: ${error.message}`, { cause: error })
  }
}

/** The last moment the list speaks of: a bare date lasts to the end of its day in UTC. Undefined for a living list. */
export function asOfInstant({ asOf }: Pick<SourceList, 'asOf'>): Millis | undefined {
  const at = asOf === undefined ? undefined : feedDate(asOf)
  if (asOf === undefined || at === undefined) return undefined
  return /:/.test(asOf) ? at : at + dayMs - 1
}
