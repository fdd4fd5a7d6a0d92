import type { Ask, AskModel, Reply } from '../../agent/model.ts'
import { ClawError } from '../../core/claw-error.ts'
import { type FailureClass, failureRules } from '../../core/failure.ts'
import { isObject } from '../../core/json-schema.ts'
import { type Message, noUsage, textOf, type ToolCall, type Usage } from '../../core/message.ts'
import { pricedUsage } from '../../core/usage.ts'
import type { Clock } from '../../world/clock.ts'

/** One reply of a script. */
export interface ScriptedReply {
  text?: string
  toolCalls?: { name: string; arguments: Record<string, unknown>; id?: string }[]
  refused?: { why: FailureClass; detail?: string; status?: number; retryAfterMs?: number; partial?: string }
  usage?: { input: number; output: number }
  /** On the clock it was made with. */
  delayMs?: number
  /** Only for a link or a last message that fits; a reply that does not fit is left for later. */
  when?: { ref?: string; includes?: string }
}

/** Plays each reply once, in order, then refuses: a script that is too short is a fault of the test, not an answer. */
export function scriptedModel(script: readonly ScriptedReply[], clock: Clock): AskModel {
  const left = [...script]
  let calls = 0
  return async ask => {
    const at = left.findIndex(reply => fits(reply, ask))
    const [reply] = at === -1 ? [] : left.splice(at, 1)
    if (!reply) return { kind: 'refused', why: 'format', detail: 'the script has no reply left' }
    if (reply.delayMs !== undefined) await clock.sleep(reply.delayMs, ask.signal)
    if (ask.signal?.aborted) return { kind: 'refused', why: 'aborted', detail: 'aborted' }
    calls += 1
    return played(reply, ask, { clock, callPrefix: `scripted_${calls}` })
  }
}

function fits({ when }: ScriptedReply, { link, messages }: Ask): boolean {
  if (when?.ref !== undefined && when.ref !== link.ref) return false
  return when?.includes === undefined || lastText(messages).includes(when.includes)
}

function lastText(messages: readonly Message[]): string {
  const last = messages.at(-1)
  return last ? textOf(last) : ''
}

function played(
  reply: ScriptedReply,
  { link, onText }: Ask,
  { clock, callPrefix }: { clock: Clock; callPrefix: string },
): Reply {
  if (reply.refused) return { kind: 'refused', detail: reply.refused.why, ...reply.refused }
  const { text = '', toolCalls = [] } = reply
  if (text !== '') onText?.(text)
  const calls = toolCalls.map((call, index): ToolCall => ({
    type: 'toolCall',
    id: `${callPrefix}_${index}`,
    ...call,
  }))
  return {
    kind: 'answered',
    message: {
      role: 'assistant',
      content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls],
      api: link.api,
      provider: link.provider,
      model: link.model,
      usage: pricedUsage(usageOf(reply), link.price),
      stopReason: calls.length > 0 ? 'toolUse' : 'stop',
      timestamp: clock.now(),
    },
  }
}

function usageOf({ usage }: ScriptedReply): Usage {
  if (!usage) return noUsage
  return { ...noUsage, ...usage, totalTokens: usage.input + usage.output }
}

/** The list of a script file; throws `config-invalid` with the place that is wrong. */
export function decodeScript(file: string, value: unknown): ScriptedReply[] {
  if (!Array.isArray(value)) throw new ClawError('config-invalid', `${file}: a script is a list of replies`)
  return value.map((entry: unknown, index) => decodeReply(entry, `${file}: reply ${index + 1}`))
}

function decodeReply(entry: unknown, where: string): ScriptedReply {
  const invalid = (why: string): ClawError => new ClawError('config-invalid', `${where} ${why}`)
  if (!isObject(entry)) throw invalid('is no mapping')
  const { text, toolCalls, refused, usage, delayMs, when } = entry
  if (text === undefined && toolCalls === undefined && refused === undefined)
    throw invalid('needs text, toolCalls or refused')
  if (text !== undefined && typeof text !== 'string') throw invalid('has a `text` that is no text')
  if (delayMs !== undefined && typeof delayMs !== 'number') throw invalid('has a `delayMs` that is no number')
  return {
    ...(text !== undefined && { text }),
    ...(delayMs !== undefined && { delayMs }),
    ...(toolCalls !== undefined && { toolCalls: decodeCalls(toolCalls, invalid) }),
    ...(refused !== undefined && { refused: decodeRefused(refused, invalid) }),
    ...(isObject(usage) && { usage: { input: numberOf(usage['input']), output: numberOf(usage['output']) } }),
    ...(isObject(when) && { when: textsOf(when) }),
  }
}

type Invalid = (why: string) => ClawError

function decodeCalls(value: unknown, invalid: Invalid): NonNullable<ScriptedReply['toolCalls']> {
  if (!Array.isArray(value)) throw invalid('has `toolCalls` that are no list')
  return value.map((call: unknown) => {
    if (!isObject(call) || typeof call['name'] !== 'string') throw invalid('has a tool call without a name')
    const args = call['arguments'] ?? {}
    if (!isObject(args)) throw invalid(`calls ${call['name']} with arguments that are no mapping`)
    return { name: call['name'], arguments: args, ...(typeof call['id'] === 'string' && { id: call['id'] }) }
  })
}

function decodeRefused(value: unknown, invalid: Invalid): NonNullable<ScriptedReply['refused']> {
  const why = isObject(value) ? value['why'] : undefined
  const known = Object.keys(failureRules).find((name): name is FailureClass => name === why)
  if (!isObject(value) || known === undefined)
    throw invalid(`has a refusal whose \`why\` is none of ${Object.keys(failureRules).join(', ')}`)
  const { detail, status, retryAfterMs, partial } = value
  return {
    why: known,
    ...(typeof detail === 'string' && { detail }),
    ...(typeof status === 'number' && { status }),
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
    ...(typeof partial === 'string' && { partial }),
  }
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

function textsOf({ ref, includes }: Record<string, unknown>): NonNullable<ScriptedReply['when']> {
  return { ...(typeof ref === 'string' && { ref }), ...(typeof includes === 'string' && { includes }) }
}
