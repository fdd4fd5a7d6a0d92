import { type ScriptedReply, scriptedModel } from '../../src/adapters/models/scripted.ts'
import type { Chain } from '../../src/agent/ask-chain.ts'
import type { AskModel, ModelLink } from '../../src/agent/model.ts'
import type { ToolResult } from '../../src/agent/tool.ts'
import { type TurnInput } from '../../src/agent/turn.ts'
import { type Cooldowns, foldCooldown } from '../../src/core/cooldown.ts'
import type { Message, ToolCall } from '../../src/core/message.ts'
import { SeededRandom } from '../../src/sim/seeded-random.ts'
import { VirtualClock } from '../../src/sim/virtual-clock.ts'

export function link(ref: string, more: Partial<ModelLink> = {}): ModelLink {
  return {
    ref,
    provider: ref.split('/')[0] ?? '',
    model: ref.split('/')[1] ?? '',
    api: 'scripted',
    baseUrl: '',
    apiKey: undefined,
    headers: {},
    window: 32_000,
    maxOutput: 1000,
    price: { in: 1, out: 1 },
    ...more,
  }
}

export interface ChainRig {
  chain: Chain
  clock: VirtualClock
  cooldowns: () => Cooldowns
}

export function chainOf(
  links: readonly ModelLink[],
  answers: AskModel | readonly ScriptedReply[],
  state: Cooldowns = {},
): ChainRig {
  const clock = new VirtualClock()
  let cooldowns = state
  const ask = typeof answers === 'function' ? answers : scriptedModel(answers, clock)
  const book = {
    peek: () => cooldowns,
    record: (event: Parameters<typeof foldCooldown>[1]) => {
      cooldowns = foldCooldown(cooldowns, event)
    },
  }
  return {
    chain: { links, ask, cooldowns: book, clock, random: new SeededRandom() },
    clock,
    cooldowns: () => cooldowns,
  }
}

export interface TurnRig {
  input: TurnInput
  recorded: Message[]
  ran: ToolCall[]
  blobs: string[]
}

export const question: Message = { role: 'user', content: 'What is new?', timestamp: 1 }

const noParameters = { type: 'object' } as const

export function turnOf(chain: Chain, more: Partial<TurnInput> = {}): TurnRig {
  const recorded: Message[] = []
  const ran: ToolCall[] = []
  const blobs: string[] = []
  const { runTool = async () => result('fine'), ...rest } = more
  const input: TurnInput = {
    chain,
    system: 'You collect news.',
    messages: [question],
    tools: ['read', 'write', 'finish'].map(name => ({ name, description: name, parameters: noParameters })),
    record: message => {
      recorded.push(message)
    },
    caps: {
      perResultChars: 16_000,
      perRoundChars: 24_000,
      offload: text => {
        blobs.push(text)
        return `blob ${blobs.length}`
      },
    },
    maxRounds: 10,
    askLimits: { connectMs: 1000, idleMs: 1000, totalMs: 5000 },
    signal: new AbortController().signal,
    ...rest,
    runTool: async (call, signal) => {
      ran.push(call)
      return runTool(call, signal)
    },
  }
  return { input, recorded, ran, blobs }
}

export function result(text: string, more: Partial<ToolResult> = {}): ToolResult {
  return { text, isError: false, provenance: 'workspace', ...more }
}

export function calling(...names: string[]): ScriptedReply {
  return { toolCalls: names.map(name => ({ name, arguments: {} })) }
}
