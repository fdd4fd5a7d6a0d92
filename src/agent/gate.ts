import { type ErrorCode, isClawError } from '../core/claw-error.ts'
import { maskedDeep } from '../core/mask.ts'
import type { ToolCall } from '../core/message.ts'
import type { ToolSpec } from './model.ts'
import { alwaysTools, argumentProblems, expandToolNames, suggest, toolsByName } from './registry.ts'
import type { Tool, ToolResult } from './tool.ts'
import { denial, failure, isDenied } from './tools/result.ts'

export interface ToolPolicy {
  /** Tools and groups of the job; undefined for all. */
  allow?: readonly string[]
}

export interface CallEntry {
  name: string
  ok: boolean
  /** The policy said no: a run that needed it is no success. */
  denied: boolean
}

export interface ToolGateOptions {
  tools: readonly Tool[]
  policy: ToolPolicy
  onCall?: (entry: CallEntry) => void
  /** Takes secrets out of a text. */
  mask: (text: string) => string
}

export interface ToolGate {
  /** What the model is offered. */
  specs: ToolSpec[]
  /** Rejects only for what no model can cause: a broken disk, a bug. */
  run(call: ToolCall, signal: AbortSignal): Promise<ToolResult>
  /** The ledger, in order. */
  readonly calls: CallEntry[]
}

/** The one way from a model's call to a tool. */
export function toolGate(options: ToolGateOptions): ToolGate {
  const { policy, mask } = options
  const all = toolsByName(options.tools)
  const offered = offeredNames([...all.keys()], policy)
  const calls: CallEntry[] = []
  return {
    specs: [...all.values()]
      .filter(({ name }) => offered.has(name))
      .map(({ name, description, parameters }) => ({ name, description, parameters })),
    calls,
    async run(call, signal) {
      const raw = await runCall({ all, offered, call, signal })
      // Secrets leave the text, every text of the details, and the structured value.
      const result = maskedDeep(raw, mask)
      const entry = { name: call.name, ok: !result.isError, denied: isDenied(result) }
      calls.push(entry)
      options.onCall?.(entry)
      return result
    },
  }
}

function offeredNames(known: readonly string[], { allow }: ToolPolicy): Set<string> {
  const wanted = allow === undefined ? known : [...expandToolNames(allow, known).names, ...alwaysTools]
  return new Set(known.filter(name => wanted.includes(name)))
}

interface RunningCall {
  all: Map<string, Tool>
  offered: Set<string>
  call: ToolCall
  signal: AbortSignal
}

async function runCall({ all, offered, call, signal }: RunningCall): Promise<ToolResult> {
  const tool = all.get(call.name)
  if (!tool) return failure(`there is no tool ${call.name}${suggest(call.name, [...offered])}`)
  if (!offered.has(call.name))
    return denial(
      `this job may not use ${call.name}; it has ${[...offered].join(', ') || 'no tools'}`,
      'tool-policy',
    )
  const problems = argumentProblems(tool, call.arguments)
  if (problems.length > 0) return failure(`${call.name}: ${problems.join('; ')}`)
  if (signal.aborted) return failure(`${call.name} was not run: the time of the run was over`)
  return runTool(tool, call, signal)
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
