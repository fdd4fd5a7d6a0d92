import type { RunPorts } from '../flows/ports.ts'
import type { Simulate } from '../flows/simulate.ts'
import type { World } from '../world/world.ts'
import type { Out } from './out.ts'

export interface Globals {
  json: boolean
  quiet: boolean
  /** Given with `-C`. */
  root: string | undefined
}

export interface CommandContext {
  world: World
  out: Out
  globals: Globals
  ports: RunPorts
  /** Undefined inside a simulation. */
  simulate: Simulate | undefined
  /** The workspace; throws `not-found` where there is none. */
  root: () => string
}

export type OptionValue = string | boolean | undefined
export type Options = Readonly<Record<string, OptionValue>>

/** Undefined when it was not given. */
export function textOption(options: Options, name: string): string | undefined {
  const value = options[name]
  return typeof value === 'string' ? value : undefined
}

/** What a command does; loaded only when it is called. Returns an exit code, or nothing for 0. */
export type Action = (
  context: CommandContext,
  args: readonly (string | undefined)[],
  options: Options,
) => Promise<number | void>

export interface OptionSpec {
  /** As commander writes it: `-m, --message <text>`. */
  flags: string
  summary: string
}

/** One entry of the command table: help, docs and shell completion are made from it. */
export interface Command {
  /** Words, e.g. `outbox list`. */
  name: string
  /** As commander writes it, e.g. `<agent> [job]`. */
  args?: string
  summary: string
  /** More than the summary, for the man-like help. */
  detail?: string
  options?: readonly OptionSpec[]
  examples: readonly string[]
  load: () => Promise<Action>
}
