import type { AskModel, ModelLink, Reply } from '../agent/model.ts'
import { restingUntil } from '../agent/cooldown-subject.ts'
import { isClawError } from '../core/claw-error.ts'
import { offlineLink, tiers } from '../core/config.ts'
import { textOf } from '../core/message.ts'
import { toIso } from '../core/millis.ts'
import { loadConfig } from '../records/config.ts'
import { peekCooldowns } from '../records/cooldowns.ts'
import { loadEnv } from '../records/env.ts'
import type { World } from '../world/world.ts'
import { maskOf } from './mask-of.ts'
import { resolveLink } from './resolve-models.ts'

export interface ModelLine {
  ref: string
  /** Chains that it stands in, in order of the tiers. */
  tiers: string[]
  api: string
  /** Tokens; null when the link cannot be resolved. */
  window: number | null
  maxOutput: number | null
  /** US dollars for a million tokens; null when unknown. */
  price: { in: number; out: number } | null
  /** Whether its key is there: `set`, `not needed`, or what is missing. Never the key. */
  key: string
  /** ISO instant until which it rests; null when it does not. */
  cooling: string | null
}

/** Every model of every chain, once, in chain order. Reads only. */
export async function listModels(world: World, root: string): Promise<ModelLine[]> {
  const config = await loadConfig(world, root)
  const env = loadEnv(world, root)
  const cooldowns = peekCooldowns(world.disk, root)
  const where = new Map<string, string[]>()
  for (const tier of tiers) {
    const chain = config.models.chains[tier]
    const refs = [...(chain?.models ?? []), ...(chain?.strict ? [] : [offlineLink])]
    for (const ref of refs) where.set(ref, [...(where.get(ref) ?? []), tier])
  }
  return [...where].map(([ref, inTiers]) => {
    const provider = config.models.providers[ref.split('/')[0]!]
    try {
      const link = resolveLink(config, env, ref)
      const until = restingUntil(cooldowns, link, world.clock.now())
      return {
        ref,
        tiers: inTiers,
        api: link.api,
        window: link.window,
        maxOutput: link.maxOutput,
        price: link.price ? { in: link.price.in, out: link.price.out } : null,
        key: provider?.apiKey === undefined ? 'not needed' : 'set',
        cooling: until === undefined ? null : toIso(until),
      }
    } catch (error) {
      if (!isClawError(error)) throw error
      return {
        ref,
        tiers: inTiers,
        api: provider?.api ?? '?',
        window: null,
        maxOutput: null,
        price: null,
        key: error.message,
        cooling: null,
      }
    }
  })
}

export interface ModelTest {
  ref: string
  ok: boolean
  why: string
  detail: string
  ms: number
}

const testLimits = { connectMs: 10_000, idleMs: 60_000, totalMs: 90_000 }

/** Asks one model, or each of the chains, for a word. */
export async function testModels(
  world: World,
  root: string,
  { ask, ref, onEach }: { ask: AskModel; ref: string | undefined; onEach: (ref: string) => void },
): Promise<ModelTest[]> {
  const config = await loadConfig(world, root)
  const env = loadEnv(world, root)
  const refs =
    ref === undefined
      ? (await listModels(world, root)).map(line => line.ref).filter(name => name !== offlineLink)
      : [ref]
  const mask = maskOf(config, env)
  const tests: ModelTest[] = []
  for (const name of refs) {
    onEach(name)
    const test = await testOne(world, ask, () => resolveLink(config, env, name), name)
    tests.push({ ...test, detail: mask(test.detail) })
  }
  return tests
}

async function testOne(
  world: World,
  ask: AskModel,
  resolve: () => ModelLink,
  ref: string,
): Promise<ModelTest> {
  const started = world.clock.elapsed()
  const test = (ok: boolean, why: string, detail: string): ModelTest => ({
    ref,
    ok,
    why,
    detail,
    ms: Math.round(world.clock.elapsed() - started),
  })
  try {
    const link = resolve()
    if (link.api === 'offline') return test(true, 'answered', 'needs no network')
    const content = 'Answer with the one word: ready'
    const reply: Reply = await ask({
      link,
      system: 'You are being tested for reachability.',
      messages: [{ role: 'user', content, timestamp: world.clock.now() }],
      tools: [],
      maxOutputTokens: Math.min(link.maxOutput, 1024),
      limits: testLimits,
    })
    return reply.kind === 'answered'
      ? test(true, 'answered', textOf(reply.message).slice(0, 80))
      : test(false, reply.why, reply.detail)
  } catch (error) {
    if (!isClawError(error)) throw error
    return test(false, 'configuration', error.message)
  }
}
