import type { CooldownBook } from '../../agent/ask-chain.ts'
import type { AskModel } from '../../agent/model.ts'
import { runTurn, type TurnInput, type TurnOutcome } from '../../agent/turn.ts'
import { type CooldownEvent, foldCooldown } from '../../core/cooldown.ts'
import type { ExtractMaterial } from '../../core/extract.ts'
import { contractOf } from '../../core/job.ts'
import { maskedDeep } from '../../core/mask.ts'
import type { Message, UserMessage } from '../../core/message.ts'
import { type FileChange, type RunAttempt, type RunRecord, totalUsage } from '../../core/run.ts'
import { sessionKey, transcriptOf } from '../../core/session.ts'
import { peekCooldowns, recordCooldowns } from '../../records/cooldowns.ts'
import { newSession, openSession, type Session } from '../../records/sessions.ts'
import { type ResolvedChain, resolveChain } from '../resolve-models.ts'
import type { AssembledPrompt } from './assemble.ts'
import { timeoutOf } from './deadline.ts'
import type { Gathered } from './gather.ts'
import type { RunContext } from './open-run.ts'
import { type RunTools, toolsOfRun } from './tools-of-run.ts'

/** The run's exchange with the model, which can be told one thing more. */
export interface Conversation {
  outcome: TurnOutcome
  /** One more user message, e.g. the corrective nudge; `outcome` is then the new one. */
  say: (text: string) => Promise<void>
  session: Session
  usage: RunRecord['usage']
  fallbacks: RunAttempt[]
  tools: RunTools['calls']
  files: FileChange[]
}

interface ThinkInput {
  gathered: Gathered
  prompt: AssembledPrompt
  signal: AbortSignal
  /** Called before a model is asked for the first time. */
  markEffects: () => void
}

/** Asks the chain, runs tools through the gate, and records every message before anything follows from it. */
export async function think(
  run: RunContext,
  { gathered, prompt, signal, markEffects }: ThinkInput,
): Promise<Conversation> {
  const chain = chainOf(run)
  for (const { ref, detail } of chain.unusable) run.warn(`${ref} cannot be asked: ${detail}`)
  const session = sessionOf(run)
  const tools = toolsOfRun(run)
  const cooldowns = cooldownBook(run)
  const input: Omit<TurnInput, 'messages'> = {
    chain: {
      links: chain.links,
      ask: askOf(run, gathered, markEffects),
      cooldowns,
      clock: run.world.clock,
      random: run.world.random,
      onAttempt: attempt => run.note(`${attempt.ref}: ${attempt.why}, ${run.mask(attempt.detail)}`),
    },
    system: prompt.system,
    tools: tools.specs,
    runTool: tools.run,
    record: message => session.append([{ type: 'message', message: maskedDeep(message, run.mask) }]),
    caps: { ...run.config.toolResults, offload: tools.offload },
    maxRounds: run.job?.rounds ?? run.config.limits.rounds,
    askLimits: {
      connectMs: run.config.models.connectTimeout,
      idleMs: run.config.models.idleTimeout,
      totalMs: timeoutOf(run),
    },
    signal,
  }
  const turn = async (before: readonly Message[], text: string): Promise<TurnOutcome> => {
    const user: UserMessage = { role: 'user', content: text, timestamp: run.world.clock.now() }
    await session.append([{ type: 'message', message: maskedDeep(user, run.mask) }])
    const outcome = await runTurn({ ...input, messages: [...before, user] })
    await cooldowns.flush()
    return outcome
  }
  const first = await turn(transcriptOf(session.branch), prompt.user)
  const conversation: Conversation = {
    outcome: first,
    session,
    usage: totalUsage({ in: 0, out: 0, cost: 0 }, first.usage),
    fallbacks: [...chain.unusable, ...fallbacksOf(run, first)],
    tools: tools.calls,
    files: tools.files,
    async say(text) {
      const outcome = await turn(conversation.outcome.messages, text)
      conversation.outcome = outcome
      conversation.usage = totalUsage(conversation.usage, outcome.usage)
      conversation.fallbacks.push(...fallbacksOf(run, outcome))
    },
  }
  return conversation
}

/**
 * The offline link is answered here, from what was gathered. A killed run that had
 * asked a model is not repeated unasked, so that is written down before.
 */
function askOf(run: RunContext, gathered: Gathered, markEffects: () => void): AskModel {
  return async request => {
    if (request.link.api === 'offline') {
      const { offlineExtractive } = await import('../../adapters/models/offline-extractive.ts')
      return offlineExtractive({ clock: run.world.clock, material: materialOf(run, gathered) })(request)
    }
    markEffects()
    return run.ports.ask(request)
  }
}

function chainOf({ config, env, job, request }: RunContext): ResolvedChain {
  return resolveChain(config, env, { tier: job?.tier ?? 'main', override: request.model })
}

function sessionOf({ world, root, agent, job }: RunContext): Session {
  const kind = job?.session ?? 'main'
  const place = { world, root, agent, key: sessionKey(agent, kind, job?.name) }
  return kind === 'isolated' ? newSession(place) : openSession(place)
}

function materialOf(
  { agent, job, day, timeZone }: RunContext,
  { items, sources, notes }: Gathered,
): ExtractMaterial {
  const check = contractOf(job)
  const sections = Array.isArray(check['sections']) ? check['sections'].map(String) : []
  return {
    evidence: items,
    sources,
    notes,
    sections,
    minItems: typeof check['minItems'] === 'number' ? check['minItems'] : 0,
    title: job ? titleOf(job.name) : agent,
    dateLine: `${day.weekdayName} ${day.date}, ${timeZone}`,
  }
}

/** `morning-digest` reads `Morning digest`. */
function titleOf(name: string): string {
  const words = name.replaceAll('-', ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

function fallbacksOf(run: RunContext, { attempts }: TurnOutcome): RunAttempt[] {
  return attempts.map(({ ref, why, detail }) => ({ ref, why, detail: run.mask(detail) }))
}

/** Events of this run are seen at once and written when a turn ends: lost with a crash, they cost one refused call. */
function cooldownBook({ world, root }: RunContext): CooldownBook & { flush: () => Promise<void> } {
  let cooldowns = peekCooldowns(world.disk, root)
  let events: CooldownEvent[] = []
  return {
    peek: () => cooldowns,
    record(event) {
      cooldowns = foldCooldown(cooldowns, event)
      events.push(event)
    },
    async flush() {
      const pending = events
      events = []
      await recordCooldowns(world, root, pending)
    },
  }
}
