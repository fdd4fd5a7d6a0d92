import { isObject } from '../../core/json-schema.ts'

/** Providers' answers are read field by field: what is missing or of another type is an empty value. */
export function objectAt(value: unknown, key: string): Record<string, unknown> {
  const member = isObject(value) ? value[key] : undefined
  return isObject(member) ? member : {}
}

export function listAt(value: unknown, key: string): unknown[] {
  const member = isObject(value) ? value[key] : undefined
  return Array.isArray(member) ? member : []
}

export function textAt(value: unknown, key: string): string {
  const member = isObject(value) ? value[key] : undefined
  return typeof member === 'string' ? member : ''
}

/** Whole and not negative; anything else is undefined. */
export function countAt(value: unknown, key: string): number | undefined {
  const member = isObject(value) ? value[key] : undefined
  return typeof member === 'number' && Number.isSafeInteger(member) && member >= 0 ? member : undefined
}
