/** The subset of JSON Schema that tools, configs and structured output use. */
export interface JsonSchema {
  type?: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'
  description?: string
  properties?: Record<string, JsonSchema>
  required?: readonly string[]
  additionalProperties?: boolean
  items?: JsonSchema
  enum?: readonly (string | number | boolean)[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  pattern?: string
  default?: unknown
}

export interface SchemaProblem {
  /** Dotted, empty for the whole value. */
  path: string
  why: string
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** All the ways in which `value` breaks `schema`; empty when it keeps it. */
export function checkSchema(schema: JsonSchema, value: unknown, path = ''): SchemaProblem[] {
  const problem = (why: string): SchemaProblem[] => [{ path, why }]
  if (schema.enum && !schema.enum.some(allowed => allowed === value)) {
    return problem(`must be one of ${schema.enum.join(', ')}`)
  }
  switch (schema.type) {
    case undefined:
      return []
    case 'object':
      return isObject(value) ? checkObject(schema, value, path) : problem('must be an object')
    case 'array':
      return Array.isArray(value) ? checkArray(schema, value, path) : problem('must be a list')
    case 'string':
      return typeof value === 'string' ? checkString(schema, value, path) : problem('must be text')
    case 'integer':
    case 'number':
      if (typeof value !== 'number' || !Number.isFinite(value)) return problem('must be a number')
      if (schema.type === 'integer' && !Number.isInteger(value)) return problem('must be a whole number')
      if (schema.minimum !== undefined && value < schema.minimum)
        return problem(`must be at least ${schema.minimum}`)
      if (schema.maximum !== undefined && value > schema.maximum)
        return problem(`must be at most ${schema.maximum}`)
      return []
    case 'boolean':
      return typeof value === 'boolean' ? [] : problem('must be true or false')
    case 'null':
      return value === null ? [] : problem('must be null')
  }
}

function checkObject(schema: JsonSchema, value: Record<string, unknown>, path: string): SchemaProblem[] {
  const problems: SchemaProblem[] = []
  const at = (key: string): string => (path === '' ? key : `${path}.${key}`)
  for (const key of schema.required ?? []) {
    if (value[key] === undefined) problems.push({ path: at(key), why: 'is missing' })
  }
  for (const [key, member] of Object.entries(value)) {
    const known = schema.properties?.[key]
    if (known) {
      if (member !== undefined) problems.push(...checkSchema(known, member, at(key)))
    } else if (schema.additionalProperties === false) {
      problems.push({
        path: at(key),
        why: `is not known; known are ${Object.keys(schema.properties ?? {}).join(', ')}`,
      })
    }
  }
  return problems
}

function checkArray(schema: JsonSchema, value: unknown[], path: string): SchemaProblem[] {
  if (schema.minItems !== undefined && value.length < schema.minItems) {
    return [{ path, why: `needs at least ${schema.minItems} entries` }]
  }
  if (schema.maxItems !== undefined && value.length > schema.maxItems) {
    return [{ path, why: `may have at most ${schema.maxItems} entries` }]
  }
  const { items } = schema
  return items ? value.flatMap((member, index) => checkSchema(items, member, `${path}[${index}]`)) : []
}

function checkString(schema: JsonSchema, value: string, path: string): SchemaProblem[] {
  if (schema.minLength !== undefined && value.length < schema.minLength) {
    return [{ path, why: `must have at least ${schema.minLength} characters` }]
  }
  if (schema.maxLength !== undefined && value.length > schema.maxLength) {
    return [{ path, why: `may have at most ${schema.maxLength} characters` }]
  }
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value)) {
    return [{ path, why: `must match ${schema.pattern}` }]
  }
  return []
}
