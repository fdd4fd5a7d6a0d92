import { guardCall, type GuardState, type GuardVerdict, noCalls } from '../core/loop-guard.ts'
import type { ToolCall, ToolResultMessage } from '../core/message.ts'
import type { Clock } from '../world/clock.ts'
import { sha256 } from '../world/hash.ts'
import type { ToolSpec } from './model.ts'
import { cappedResults, type ResultCaps } from './offload.ts'
import type { ToolResult } from './tool.ts'

/** Runs one call through the policy gate. Never rejects for what a model can cause; an unknown tool is a result with `isError`. */
export type RunTool = (call: ToolCall, signal: AbortSignal) => Promise<ToolResult>

export interface ToolRoundInput {
  chain: { clock: Clock }
  tools: readonly ToolSpec[]
  runTool: RunTool
  caps: Omit<ResultCaps, 'windowTokens'>
  signal: AbortSignal
}

export type RoundEnd = { kind: 'more' } | { kind: 'finished'; value: unknown } | { kind: 'loop'; why: string }

export interface ToolRounds {
  /** Runs the calls in order and adds one result for each, whatever happens. */
  run: (calls: readonly ToolCall[], windowTokens: number) => Promise<RoundEnd>
  /** Adds a result that says `why` to each call, and runs none. */
  refuseAll: (calls: readonly ToolCall[], why: string) => Promise<void>
  readonly runs: readonly { name: string; isError: boolean }[]
}

interface Done {
  call: ToolCall
  result: ToolResult
}

/** The tool side of one turn: order, caps, the loop guard. `add` records a result message. */
export function newToolRounds(
  input: ToolRoundInput,
  add: (message: ToolResultMessage) => Promise<void>,
): ToolRounds {
  const { chain, tools, runTool, caps, signal } = input
  const names = new Set(tools.map(({ name }) => name))
  const runs: { name: string; isError: boolean }[] = []
  let guard: GuardState = noCalls

  const judge = (call: ToolCall, { text }: ToolResult): GuardVerdict => {
    const isKnown = names.has(call.name)
    const next = guardCall(guard, {
      name: call.name,
      argsKey: argsKey(call),
      resultKey: sha256(text),
      isKnown,
    })
    guard = next.state
    return next.verdict
  }

  const addAll = async (done: readonly Done[], windowTokens: number): Promise<void> => {
    const shown = cappedResults(
      done.map(({ result }) => result.text),
      { ...caps, windowTokens },
    )
    for (const [index, { call, result }] of done.entries()) {
      await add(resultMessage({ call, result, shown: shown[index], at: chain.clock.now() }))
    }
  }

  return {
    runs,
    refuseAll: (calls, why) =>
      addAll(
        calls.map(call => ({ call, result: notRun(why) })),
        0,
      ),
    async run(calls, windowTokens) {
      const done: Done[] = []
      let end: RoundEnd = { kind: 'more' }
      for (const call of calls) {
        if (end.kind !== 'more' || signal.aborted) {
          const why = signal.aborted ? 'the time of the run was over' : 'the turn had ended'
          done.push({ call, result: notRun(why) })
          continue
        }
        const result = await runTool(call, signal)
        runs.push({ name: call.name, isError: result.isError })
        const verdict = judge(call, result)
        done.push({ call, result: verdict.kind === 'fine' ? result : warned(result, verdict.why) })
        if (verdict.kind === 'stop') end = { kind: 'loop', why: verdict.why }
        else if (call.name === 'finish' && !result.isError) end = { kind: 'finished', value: result.value }
      }
      await addAll(done, windowTokens)
      return end
    },
  }
}

function resultMessage(of: {
  call: ToolCall
  result: ToolResult
  shown: { text: string; fullText: string | undefined } | undefined
  at: number
}): ToolResultMessage {
  const { call, result, shown, at } = of
  const details = { ...result.details, ...(shown?.fullText !== undefined && { fullText: shown.fullText }) }
  return {
    role: 'toolResult',
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: 'text', text: shown?.text ?? result.text }],
    ...(Object.keys(details).length > 0 && { details }),
    isError: result.isError,
    timestamp: at,
  }
}

function notRun(why: string): ToolResult {
  return { text: `Not run: ${why}.`, isError: true, provenance: 'harness' }
}

/** In front, where a cap does not reach it. */
function warned(result: ToolResult, why: string): ToolResult {
  return {
    ...result,
    text: `[claw: ${why}. Change the approach, or answer with what there is.]\n${result.text}`,
  }
}

/** Equal for equal arguments, in whatever order their keys came. */
function argsKey({ arguments: args }: ToolCall): string {
  return sha256(JSON.stringify(sorted(args)))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)])
}
