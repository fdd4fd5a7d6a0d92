import { type ErrorCode, isClawError } from '../core/claw-error.ts'
import { maskedDeep } from '../core/mask.ts'
import type { ToolCall } from '../core/message.ts'
import type { ToolSpec } from './model.ts'
import {
  alwaysTools,
  argumentProblems,
  expandToolNames,
  suggest,
  toolGroups,
  toolsByName,
} from './registry.ts'
import type { Tool, ToolResult } from './tool.ts'
import { denial, failure, isDenied } from './tools/result.ts'

export interface ToolPolicy {
  /** Tools and groups of the job; undefined for all. */
  allow?: readonly string[]
  /** Wins over `allow`. */
  deny?: readonly string[]
  groups?: Readonly<Record<string, readonly string[]>>
}

export interface CallEntry {
  name: string
  ok: boolean
  /** The policy said no: a run that needed it is no success. */
  denied: boolean
  ms: number
}

export interface ToolHooks {
  /** A sentence refuses the call. */
  before?: (call: ToolCall, tool: Tool) => string | undefined
  after?: (call: ToolCall, result: ToolResult) => ToolResult
}

export interface ToolGateOptions {
  tools: readonly Tool[]
  policy: ToolPolicy
  hooks?: readonly ToolHooks[]
  onCall?: (entry: CallEntry, call: ToolCall, result: ToolResult) => void
  /** Takes secrets out of a text. */
  mask: (text: string) => string
  /** Monotonic milliseconds. */
  elapsed: () => number
}

export interface ToolGate {
  /** What the model is offered. */
  specs: ToolSpec[]
  /** Rejects only for what no model can cause: a broken disk, a bug. */
  run(call: ToolCall, signal: AbortSignal): Promise<ToolResult>
  readonly calls: readonly CallEntry[]
  /** Calls that the policy refused, with its reason. */
  readonly denied: readonly { name: string; why: string }[]
}

/** The one way from a model's call to a tool. */
export function toolGate(options: ToolGateOptions): ToolGate {
  const { policy, elapsed, mask } = options
  const all = toolsByName(options.tools)
  const offered = offeredNames([...all.keys()], policy)
  const calls: CallEntry[] = []
  const denied: { name: string; why: string }[] = []
  return {
    specs: [...all.values()]
      .filter(({ name }) => offered.has(name))
      .map(({ name, description, parameters }) => ({ name, description, parameters })),
    calls,
    denied,
    async run(call, signal) {
      const startedAt = elapsed()
      const raw = await runCall(options, { all, offered, call, signal })
      // Secrets leave the text, every text of the details, and the structured value.
      const result = maskedDeep(raw, mask)
      const entry = {
        name: call.name,
        ok: !result.isError,
        denied: isDenied(result),
        ms: Math.round(elapsed() - startedAt),
      }
      calls.push(entry)
      if (entry.denied) denied.push({ name: call.name, why: result.text })
      options.onCall?.(entry, call, result)
      return result
    },
  }
}

function offeredNames(
  known: readonly string[],
  { allow, deny = [], groups = toolGroups }: ToolPolicy,
): Set<string> {
  const wanted =
    allow === undefined ? known : [...expandToolNames(allow, known, groups).names, ...alwaysTools]
  const refused = new Set(expandToolNames(deny, known, groups).names)
  return new Set(known.filter(name => wanted.includes(name) && !refused.has(name)))
}

interface RunningCall {
  all: Map<string, Tool>
  offered: Set<string>
  call: ToolCall
  signal: AbortSignal
}

async function runCall(
  { hooks = [] }: ToolGateOptions,
  { all, offered, call, signal }: RunningCall,
): Promise<ToolResult> {
  const tool = all.get(call.name)
  if (!tool) return failure(`there is no tool ${call.name}${suggest(call.name, [...offered])}`)
  if (!offered.has(call.name))
    return denial(
      `this job may not use ${call.name}; it has ${[...offered].join(', ') || 'no tools'}`,
      'tool-policy',
    )
  const problems = argumentProblems(tool, call.arguments)
  if (problems.length > 0) return failure(`${call.name}: ${problems.join('; ')}`)
  for (const { before } of hooks) {
    const why = before?.(call, tool)
    if (why !== undefined) return denial(why, 'hook')
  }
  if (signal.aborted) return failure(`${call.name} was not run: the time of the run was over`)
  const result = await runTool(tool, call, signal)
  return hooks.reduce((changed, { after }) => after?.(call, changed) ?? changed, result)
}

const endsRun: ReadonlySet<ErrorCode> = new Set(['not-recorded', 'not-known', 'lease-lost'])

/** A problem that a person can act on is one that a model can read; only a failing disk ends the run. */
async function runTool(tool: Tool, call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
  try {
    return await tool.run(call.arguments, { signal, call })
  } catch (error) {
    if (!isClawError(error) || endsRun.has(error.code)) throw error
    return error.code === 'policy-refused' ? denial(error.message, 'policy') : failure(error.message)
  }
}

