import type { Evidence } from '../evidence.ts'

export interface CheckContext {
  /** What this run gathered. */
  evidence: readonly Evidence[]
  /** What the harness tells of the gathering: names of sources, why one failed, remarks. A report may repeat it. */
  remarks?: readonly string[]
  /** What the job gives the check, e.g. 18 for `minItems: 18`. */
  argument: unknown
  /** The one form of an address that two spellings share; undefined for what is no web address. */
  canonical: (url: string) => string | undefined
}

/** One promise about a text. Pure; each problem is a line that a model can act on. */
export interface Check {
  name: string
  /** What the argument must be, for messages. */
  takes: string
  isArgument: (argument: unknown) => boolean
  problems: (text: string, context: CheckContext) => string[]
}

export function isCount(argument: unknown): argument is number {
  return typeof argument === 'number' && Number.isInteger(argument) && argument >= 0
}

export function isTrue(argument: unknown): argument is true {
  return argument === true
}

export function isTexts(argument: unknown): argument is string[] {
  return (
    Array.isArray(argument) &&
    argument.length > 0 &&
    argument.every(one => typeof one === 'string' && one.trim() !== '')
  )
}

/** The first few of many, so that a message stays readable. */
export function few(texts: readonly string[], most = 5): string {
  const shown = texts.slice(0, most).join(', ')
  return texts.length > most ? `${shown} and ${texts.length - most} more` : shown
}

/** The beginning of a passage on one line, so that a model finds it again. */
export function quoted(text: string): string {
  const line = text.slice(0, 400).replace(/\s+/g, ' ').trim()
  const letters = [...line]
  return `"${letters.length > 60 ? `${letters.slice(0, 60).join('')}...` : line}"`
}
