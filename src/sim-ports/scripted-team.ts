import type { ScriptedReply } from '../adapters/models/scripted.ts'
import { scriptedModel } from '../adapters/models/scripted.ts'
import type { Ask, AskModel } from '../agent/model.ts'
import { textOf } from '../core/message.ts'
import { secondMs } from '../core/millis.ts'
import type { ModelFault } from '../sim/year/fault-table.ts'
import type { SimProcess } from '../sim/year/machine.ts'
import { seedOf } from '../sim/year/seed-of.ts'
import { SeededRandom } from '../sim/seeded-random.ts'
import { goodText, linksIn, specIn } from './good-text.ts'

const adjectives = ['calm', 'busy', 'quiet', 'bright', 'slow', 'steady', 'mixed', 'fresh']
const nouns = ['morning', 'market', 'week', 'evening', 'season', 'crowd', 'desk', 'garden']

/** The model of one process: a text that keeps the contract it is told, now and then silence or an alert, and its fault. */
export function scriptedTeam(process: SimProcess, seed: number): AskModel {
  const { clock, host } = process.world
  const random = new SeededRandom(seedOf(seed, 'model', host.pid))
  const one = (words: readonly string[]): string => words[Math.floor(random.fraction() * words.length)]!
  let asked = 0
  return async ask => {
    asked += 1
    const fault = process.faults.model
    const reply =
      (fault && faultyReply(fault, ask, asked)) ?? goodReply(ask, random, `${one(adjectives)} ${one(nouns)}`)
    if (fault) process.isStruck = true
    const delayMs = reply.delayMs ?? Math.round((4 + random.fraction() * 30) * secondMs)
    return scriptedModel([{ ...reply, delayMs }], clock)(ask)
  }
}

function goodReply({ system, messages }: Ask, random: SeededRandom, words: string): ScriptedReply {
  const prompt = messages.map(textOf).join('\n\n')
  const mayBeSilent = system.includes('answer NO_REPLY')
  const spec = specIn(prompt)
  const isAlert = random.fraction() < 0.1 && spec['maxLength'] === undefined
  const isSilent = mayBeSilent && random.fraction() < 0.3
  const good = goodText({ spec, links: linksIn(prompt), words })
  const text = isSilent ? 'NO_REPLY' : isAlert ? `ALERT: look at this.\n\n${good}` : good
  const usage = { input: Math.ceil((system.length + prompt.length) / 4), output: Math.ceil(text.length / 4) }
  return { text, usage }
}

/** Undefined: the fault is over, and the model is good again. */
function faultyReply(fault: ModelFault, { limits }: Ask, asked: number): ScriptedReply | undefined {
  switch (fault) {
    case 'refuses':
      return { refused: { why: 'refusal', detail: 'the model will not do this' } }
    case 'rate-limit':
      return asked > 2
        ? undefined
        : { refused: { why: 'rate-limit', detail: 'too many requests', status: 429 } }
    case 'stalls':
      // Odd times it is silent until the adapter gives up, even times it drips until the run's own deadline.
      return asked % 2 === 1
        ? { delayMs: limits.idleMs, refused: { why: 'timeout', detail: 'no bytes for a while' } }
        : { delayMs: limits.totalMs * 2, text: 'too late' }
    case 'empty':
      return asked > 3 ? undefined : { refused: { why: 'empty', detail: 'no text in the answer' } }
    case 'malformed':
      return asked > 2
        ? undefined
        : { toolCalls: [{ name: asked === 1 ? 'no_such_tool' : 'read', arguments: { wrong: asked } }] }
    case 'breaks-contract':
      return { text: 'All is well, see https://nowhere.example/made-up for more.' }
    case 'silent':
      return asked > 1 ? undefined : { text: 'NO_REPLY' }
  }
}
