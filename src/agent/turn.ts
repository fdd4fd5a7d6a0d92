import type { FailureClass } from '../core/failure.ts'
import {
  type AssistantMessage,
  type Message,
  noUsage,
  textOf,
  toolCallsOf,
  type Usage,
} from '../core/message.ts'
import { replayable } from '../core/replay.ts'
import { type SilentToken, silentToken } from '../core/silent.ts'
import { addUsage } from '../core/usage.ts'
import { askChain, type Attempt, type Chain, type ChainOutcome, linksFrom } from './ask-chain.ts'
import type { AskLimits, ModelLink, ToolSpec } from './model.ts'
import type { ResultCaps } from './offload.ts'
import { newToolRounds, type RunTool, type ToolRounds } from './tool-round.ts'

export interface TurnInput {
  chain: Chain
  system: string
  /** The transcript so far, its last message from the user. All of it is recorded already. */
  messages: readonly Message[]
  tools: readonly ToolSpec[]
  runTool: RunTool
  /** Called with each message that the turn adds, in order, before anything follows from it. */
  record: (message: Message) => void | Promise<void>
  caps: Omit<ResultCaps, 'windowTokens'>
  /** Replies that may ask for tools; after them one more may answer. */
  maxRounds: number
  askLimits: AskLimits
  maxOutputTokens?: number
  signal: AbortSignal
  onText?: (delta: string) => void
  /**
   * Makes a shorter transcript when the prompt is too long for `link`; undefined when it
   * cannot be made shorter. Called at most `maxCompactions` times a turn.
   */
  compact?: (messages: readonly Message[], link: ModelLink) => Promise<readonly Message[] | undefined>
}

export type TurnFailure = FailureClass | 'loop' | 'too-many-rounds'

interface TurnFacts {
  /** With all that the turn added: hand it in again, with one more user message, to go on. */
  messages: readonly Message[]
  attempts: readonly Attempt[]
  /** Of all calls, refused ones included; cost only where every price is known. */
  usage: Usage
  rounds: number
  /** The one that answered last; undefined when none did. */
  link: ModelLink | undefined
  /** Names of the tools that ran, in order, with how they ended. */
  toolRuns: readonly { name: string; isError: boolean }[]
}

export type TurnOutcome = TurnFacts &
  (
    | {
        kind: 'answered'
        text: string
        silent: SilentToken | undefined
        finished: { value: unknown } | undefined
      }
    | { kind: 'failed'; why: TurnFailure; detail: string; partial: string; soonestRetryAt?: number }
    | { kind: 'timed-out'; partial: string }
  )

const maxCompactions = 2

/** One user message to its answer: asks, runs tools, and asks again until there is text, `finish`, or a reason to stop. */
export function runTurn(input: TurnInput): Promise<TurnOutcome> {
  return new Turn(input).run()
}

class Turn {
  readonly #input: TurnInput
  readonly #tools: ToolRounds
  readonly #attempts: Attempt[] = []
  #messages: readonly Message[]
  #links: readonly ModelLink[]
  #link: ModelLink | undefined
  #usage: Usage = noUsage
  /** An answer came without its numbers: what it cost is not known, which is not the same as nothing. */
  #hasUnreported = false
  #rounds = 0
  #compactions = 0
  #hasNudged = false
  #partial = ''

  constructor(input: TurnInput) {
    this.#input = input
    this.#messages = input.messages
    this.#links = input.chain.links
    this.#tools = newToolRounds(input, message => this.#add(message))
  }

  async run(): Promise<TurnOutcome> {
    for (;;) {
      const outcome = await this.#ask()
      const end = outcome.kind === 'answered' ? await this.#take(outcome) : await this.#recover(outcome)
      if (end) return end
    }
  }

  async #ask(): Promise<ChainOutcome> {
    const { chain, system, tools, askLimits, maxOutputTokens, signal, onText } = this.#input
    const outcome = await askChain(
      { ...chain, links: this.#links },
      {
        system,
        messages: replayable(this.#messages),
        tools,
        limits: askLimits,
        signal,
        ...(onText && { onText }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      },
    )
    this.#attempts.push(...outcome.attempts)
    this.#partial = outcome.attempts.at(-1)?.partial ?? ''
    for (const { usage } of outcome.attempts) if (usage) this.#usage = addUsage(this.#usage, usage)
    return outcome
  }

  /** Undefined when there is more to do. */
  async #take({
    message,
    link,
  }: {
    message: AssistantMessage
    link: ModelLink
  }): Promise<TurnOutcome | undefined> {
    const { signal, maxRounds } = this.#input
    this.#rounds += 1
    this.#link = link
    this.#links = linksFrom(this.#links, link)
    this.#usage = addUsage(this.#usage, message.usage)
    this.#hasUnreported ||= message.usage.totalTokens === 0 && link.api !== 'offline'
    this.#partial = textOf(message)
    await this.#add(message)
    const calls = toolCallsOf(message)
    if (calls.length === 0) return this.#answered(textOf(message), undefined)
    if (this.#rounds > maxRounds) {
      await this.#tools.refuseAll(calls, 'the limit of rounds is reached')
      return this.#failed('too-many-rounds', `no answer after ${maxRounds} rounds of tools`)
    }
    const round = await this.#tools.run(calls, link.window)
    if (round.kind === 'finished') return this.#answered(textOf(message), { value: round.value })
    if (signal.aborted) return this.#timedOut()
    if (round.kind === 'loop') return this.#failed('loop', round.why)
    if (this.#rounds === maxRounds)
      await this.#say('No more tools can be used in this run. Answer now, with what there is.')
    return undefined
  }

  async #recover(outcome: Exclude<ChainOutcome, { kind: 'answered' }>): Promise<TurnOutcome | undefined> {
    const last = outcome.attempts.at(-1)
    switch (outcome.kind) {
      case 'stopped':
        return outcome.why === 'aborted'
          ? this.#timedOut()
          : this.#failed(outcome.why, last?.detail ?? outcome.why)
      case 'overflow':
        return (await this.#shorten(outcome.link))
          ? undefined
          : this.#failed('context-overflow', last?.detail ?? '')
      case 'exhausted': {
        const why = causeOf(outcome.attempts)
        if (why === 'empty' && (await this.#nudge())) return undefined
        const detail = last ? `${last.ref}: ${last.detail}` : 'the chain has no model'
        return {
          ...this.#failed(why, detail),
          ...(outcome.soonestRetryAt !== undefined && { soonestRetryAt: outcome.soonestRetryAt }),
        }
      }
    }
  }

  /** One more chance for a model that said nothing; once a turn. */
  async #nudge(): Promise<boolean> {
    if (this.#hasNudged) return false
    this.#hasNudged = true
    await this.#say('Your last reply was empty. Answer the request above in plain text, or call a tool.')
    return true
  }

  #say(content: string): Promise<void> {
    return this.#add({ role: 'user', content, timestamp: this.#input.chain.clock.now() })
  }

  async #shorten(link: ModelLink): Promise<boolean> {
    this.#compactions += 1
    if (this.#compactions > maxCompactions) return false
    const shorter = await this.#input.compact?.(this.#messages, link)
    if (!shorter) return false
    this.#messages = shorter
    return true
  }

  async #add(message: Message): Promise<void> {
    await this.#input.record(message)
    this.#messages = [...this.#messages, message]
  }

  #answered(text: string, finished: { value: unknown } | undefined): TurnOutcome {
    return {
      kind: 'answered',
      text,
      silent: finished ? undefined : silentToken(text),
      finished,
      ...this.#facts(),
    }
  }

  #failed(why: TurnFailure, detail: string): TurnOutcome & { kind: 'failed' } {
    return { kind: 'failed', why, detail, partial: this.#partial, ...this.#facts() }
  }

  #timedOut(): TurnOutcome {
    return { kind: 'timed-out', partial: this.#partial, ...this.#facts() }
  }

  #facts(): TurnFacts {
    const { cost, ...counted } = this.#usage
    return {
      messages: this.#messages,
      attempts: this.#attempts,
      usage: cost && !this.#hasUnreported ? { ...counted, cost } : counted,
      rounds: this.#rounds,
      link: this.#link,
      toolRuns: this.#tools.runs,
    }
  }
}

/** What the person should hear: the last real failure; a chain of resting links has none. */
function causeOf(attempts: readonly Attempt[]): FailureClass {
  const real = attempts.map(({ why }) => why).filter(why => why !== 'cooling')
  return real.at(-1) ?? 'overloaded'
}
