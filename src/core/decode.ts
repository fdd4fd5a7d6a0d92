import { isObject } from './json-schema.ts'
import { dayMs, hourMs, minuteMs, secondMs } from './millis.ts'
import { nearest } from './nearest.ts'

export type Path = readonly (string | number)[]

/** A value from outside that is not what it should be; the reader of the file adds file, line and column. */
export class DecodeProblem extends Error {
  readonly path: Path

  constructor(path: Path, why: string) {
    super(why)
    this.name = 'DecodeProblem'
    this.path = path
  }
}

/** Unknown in, typed out; throws `DecodeProblem`. */
export type Decode<T> = (value: unknown, path: Path) => T

export function dotted(path: Path): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index ? `.${part}` : part))
    .join('')
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}

function wrong(path: Path, expected: string, value: unknown): DecodeProblem {
  return new DecodeProblem(
    path,
    `\`${dotted(path) || 'the document'}\` must be ${expected}, not ${shown(value)}`,
  )
}

export const text: Decode<string> = (value, path) => {
  if (typeof value === 'string') return value
  throw wrong(path, 'text', value)
}

export const filledText: Decode<string> = (value, path) => {
  if (typeof value === 'string' && value.trim() !== '') return value
  throw wrong(path, 'text that is not empty', value)
}

export const flag: Decode<boolean> = (value, path) => {
  if (typeof value === 'boolean') return value
  throw wrong(path, 'true or false', value)
}

export function numberIn(min: number, max: number): Decode<number> {
  return (value, path) => {
    if (typeof value === 'number' && value >= min && value <= max) return value
    throw wrong(path, `a number from ${min} to ${max}`, value)
  }
}

export function wholeIn(min: number, max: number): Decode<number> {
  return (value, path) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value
    throw wrong(path, `a whole number from ${min} to ${max}`, value)
  }
}

export function oneOf<const T extends string>(allowed: readonly T[]): Decode<T> {
  return (value, path) => {
    const found = allowed.find(word => word === value)
    if (found !== undefined) return found
    const meant = typeof value === 'string' ? nearest(value, allowed) : undefined
    const problem = wrong(path, `one of ${allowed.join(', ')}`, value)
    throw meant ? new DecodeProblem(path, `${problem.message}; did you mean ${meant}?`) : problem
  }
}

export function listOf<T>(item: Decode<T>): Decode<T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, 'a list', value)
    return value.map((member, index) => item(member, [...path, index]))
  }
}

export function mapOf<T>(item: Decode<T>): Decode<Record<string, T>> {
  return (value, path) => {
    if (!isObject(value)) throw wrong(path, 'a mapping', value)
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, item(member, [...path, key])]),
    )
  }
}

/** A mapping that may be left out and is then empty. */
export function mapOrEmpty<T>(item: Decode<T>): Decode<Record<string, T>> {
  return optional(mapOf(item), {} as Record<string, T>)
}

export const anyValue: Decode<unknown> = value => value

/** Absent or null becomes `fallback`. */
export function optional<T, const F>(item: Decode<T>, fallback: F): Decode<T | F> {
  return (value, path) => (value === undefined || value === null ? fallback : item(value, path))
}

type Shape = Record<string, Decode<unknown>>
type Shaped<S extends Shape> = { [K in keyof S]: S[K] extends Decode<infer T> ? T : never }

/**
 * A mapping with exactly these members. A key that is not in the shape is
 * refused with the nearest one: a misspelt restriction must not vanish.
 */
export function objectOf<S extends Shape>(shape: S): Decode<Shaped<S>> {
  return (value, path) => {
    if (!isObject(value)) throw wrong(path, 'a mapping', value)
    for (const key of Object.keys(value)) {
      if (!Object.hasOwn(shape, key)) throw unknownKey([...path, key], key, Object.keys(shape))
    }
    const decoded = Object.entries(shape).map(([key, item]) => [key, item(value[key], [...path, key])])
    return Object.fromEntries(decoded) as Shaped<S>
  }
}

function unknownKey(path: Path, key: string, known: string[]): DecodeProblem {
  const meant = nearest(key, known)
  const hint = meant ? `did you mean \`${meant}\`?` : `known keys: ${known.join(', ')}`
  return new DecodeProblem(
    path,
    `unknown key \`${key}\`${path.length > 1 ? ` in \`${dotted(path.slice(0, -1))}\`` : ''}; ${hint}`,
  )
}

const durationUnits: Record<string, number> = { ms: 1, s: secondMs, m: minuteMs, h: hourMs, d: dayMs }

/** `240s`, `2h`, `7d`, `90` (seconds); milliseconds out. */
export const duration: Decode<number> = (value, path) => {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)?$/.exec(String(value).trim())
  if (!match) throw wrong(path, 'a duration such as 240s, 30m, 2h or 7d', value)
  return Number(match[1]) * durationUnits[match[2] ?? 's']!
}
