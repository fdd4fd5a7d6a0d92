import type { JsonSchema } from '../core/json-schema.ts'
import { checkSchema } from '../core/json-schema.ts'
import { nearest } from '../core/nearest.ts'
import type { Tool } from './tool.ts'

/** What a job may name in `tools:` for several at once; every other name is a tool. */
export const toolGroups: Readonly<Record<string, readonly string[]>> = {
  memory: ['memory_search'],
  shared: ['shared_read', 'shared_write'],
  files: ['read', 'write', 'edit'],
  exec: ['exec'],
}

/** Always there: without it a turn could not hand in a structured result. */
export const alwaysTools: readonly string[] = ['finish']

/** All that a job may name one by one: every tool is in a group, or always there. */
export const knownTools: readonly string[] = [...Object.values(toolGroups).flat(), ...alwaysTools]

export interface ExpandedNames {
  names: string[]
  /** Named by nobody; the suggestion is the nearest name that exists. */
  unknown: { name: string; suggestion: string | undefined }[]
}

/** Groups and names of a job, as tool names. */
export function expandToolNames(given: readonly string[], known: readonly string[]): ExpandedNames {
  const names = new Set<string>()
  const unknown: ExpandedNames['unknown'] = []
  for (const name of given) {
    const group = Object.hasOwn(toolGroups, name) ? toolGroups[name] : undefined
    if (group) group.forEach(member => names.add(member))
    else if (known.includes(name)) names.add(name)
    else unknown.push({ name, suggestion: nearest(name, [...Object.keys(toolGroups), ...known]) })
  }
  return { names: [...names], unknown }
}

/** The tools by name. A name that is taken twice is a mistake in the program. */
export function toolsByName(tools: readonly Tool[]): Map<string, Tool> {
  const byName = new Map<string, Tool>()
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Error(`two tools are named ${tool.name}`)
    byName.set(tool.name, tool)
  }
  return byName
}

/** One line for each way in which arguments break a tool's schema. */
export function argumentProblems({ parameters }: Tool, args: Record<string, unknown>): string[] {
  const unknown = parameters.additionalProperties === false ? unknownNames(parameters, args) : []
  const rest = checkSchema(parameters, withoutNames(args, unknown))
  return [
    ...unknown.map(
      name => `${name} is no parameter${suggest(name, Object.keys(parameters.properties ?? {}))}`,
    ),
    ...rest.map(({ path, why }) => `${path || 'the arguments'} ${why}`),
  ]
}

/** Own names only, so that `constructor` is as unknown as any other. */
function unknownNames({ properties = {} }: JsonSchema, args: Record<string, unknown>): string[] {
  return Object.keys(args).filter(name => !Object.hasOwn(properties, name))
}

function withoutNames(args: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name)))
}

export function suggest(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return near === undefined ? `; known are ${known.join(', ')}` : `; did you mean ${near}?`
}
