import type { ModelLink } from '../agent/model.ts'
import { ClawError, isClawError } from '../core/claw-error.ts'
import { type Config, offlineLink, type Tier } from '../core/config.ts'
import { nearestHint } from '../core/nearest.ts'
import type { RunAttempt } from '../core/run.ts'
import { type Env, fillSecrets } from '../records/env.ts'

export interface ResolvedChain {
  links: ModelLink[]
  /** Links that cannot be asked at all, e.g. a key that is not set. */
  unusable: RunAttempt[]
}

const offline: ModelLink = {
  ref: offlineLink,
  provider: 'offline',
  model: 'extractive',
  api: 'offline',
  baseUrl: '',
  apiKey: undefined,
  headers: {},
  window: 1_000_000,
  maxOutput: 100_000,
  price: { in: 0, out: 0 },
}

/** For a model that is not in the catalog: small enough for any server. */
const defaultWindow = 32_768
const defaultMaxOutput = 8_192

/** The links of a tier in order; the offline one is last unless the chain is strict. `override` is one model and no other. */
export function resolveChain(
  config: Config,
  env: Env,
  { tier, override }: { tier: Tier; override?: string | undefined },
): ResolvedChain {
  const chain = config.models.chains[tier] ?? config.models.chains['main'] ?? { models: [], strict: false }
  const strict = override !== undefined || chain.strict
  const refs = override === undefined ? (tier === 'tool' ? [] : chain.models) : [override]
  const resolved: ResolvedChain = { links: [], unusable: [] }
  for (const ref of refs) {
    try {
      resolved.links.push(resolveLink(config, env, ref))
    } catch (error) {
      if (!isClawError(error) || override !== undefined || !error.message.includes('is not set')) throw error
      resolved.unusable.push({ ref, why: 'auth', detail: error.message })
    }
  }
  if (!strict && !refs.includes(offlineLink)) resolved.links.push(offline)
  return resolved
}

/** Throws `config-invalid` for a provider that is not there, or a secret that is not set. */
export function resolveLink(config: Config, env: Env, ref: string): ModelLink {
  if (ref === offlineLink) return offline
  const slash = ref.indexOf('/')
  if (slash < 1)
    throw new ClawError('config-invalid', `${ref} is no model; write provider/model`, {
      hint: 'claw models list shows those of the chains',
    })
  const provider = ref.slice(0, slash)
  const given = config.models.providers[provider]
  if (!given) {
    throw new ClawError('config-invalid', `claw.yaml: no provider ${provider} (for ${ref})`, {
      hint: nearestHint(provider, Object.keys(config.models.providers), 'providers'),
    })
  }
  const where = `models.providers.${provider}`
  const fill = (text: string): string => fillSecrets(text, env, where)
  const entry = config.models.catalog[ref]
  const window = entry?.window ?? defaultWindow
  return {
    ref,
    provider,
    model: ref.slice(slash + 1),
    api: given.api,
    baseUrl: fill(given.baseUrl).replace(/\/+$/, ''),
    apiKey: given.apiKey === undefined ? undefined : fill(given.apiKey),
    headers: Object.fromEntries(Object.entries(given.headers).map(([name, value]) => [name, fill(value)])),
    window,
    maxOutput: Math.min(entry?.maxOutput ?? defaultMaxOutput, window),
    price: entry?.price
      ? {
          in: entry.price.in,
          out: entry.price.out,
          ...(entry.price.cacheRead !== undefined && { cacheRead: entry.price.cacheRead }),
          ...(entry.price.cacheWrite !== undefined && { cacheWrite: entry.price.cacheWrite }),
        }
      : undefined,
  }
}
