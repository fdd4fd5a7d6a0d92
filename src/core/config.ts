import { dayWindow } from './day-window.ts'
import {
  anyValue,
  type Decode,
  DecodeProblem,
  dotted,
  duration,
  filledText,
  flag,
  listOf,
  mapOrEmpty,
  numberIn,
  objectOf,
  oneOf,
  optional,
  type Path,
  text,
  wholeIn,
} from './decode.ts'
import { isTimeZone } from './zone.ts'

/** `claw.yaml`, decoded once. Secrets stay as `${NAME}` here; they are filled in where they are used. */
export type Config = ReturnType<typeof decodeConfig>
export type ChannelConfig = Config['channels'][string]

export const modelApis = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'ollama-chat',
  'scripted',
] as const
export const tiers = ['main', 'reflection', 'routine', 'heartbeat', 'coding', 'tool'] as const
export type Tier = (typeof tiers)[number]

/** The link that needs no key and no network; the end of every chain that is not strict. */
export const offlineLink = 'offline/extractive'

/** How much of an agent's files the prompt takes, where nothing else is said. */
export const bootstrapDefaults = { perFileChars: 20_000, totalChars: 60_000 }

const maxTokens = 100_000_000
const usd = numberIn(0, 1_000_000)
const sizeBytes = wholeIn(0, Number.MAX_SAFE_INTEGER)

/** A section that may be left out: its members then have their defaults. */
function section<T>(decode: Decode<T>): Decode<T> {
  return (value, path) => decode(value ?? {}, path)
}

const timeZone: Decode<string> = (value, path) => {
  const name = filledText(value, path)
  if (isTimeZone(name)) return name
  throw new DecodeProblem(
    path,
    `\`${dotted(path)}\` must be an IANA time zone such as Asia/Shanghai, not ${name}`,
  )
}

const modelRef: Decode<string> = (value, path) => {
  const ref = filledText(value, path)
  if (/^[^/\s]+\/\S+$/.test(ref)) return ref
  throw new DecodeProblem(path, `\`${dotted(path)}\` must read provider/model, not ${ref}`)
}

/** A key stands in the environment or in `.env`; here is only its name. A short word is what a local server takes for one. */
const secretName: Decode<string> = (value, path) => {
  const given = text(value, path)
  if (given.includes('${') || given.length < 16) return given
  throw new DecodeProblem(
    path,
    `\`${dotted(path)}\` holds a key; put it into .env as NAME=... and write \${NAME} here`,
  )
}

const provider = objectOf({
  api: oneOf(modelApis),
  baseUrl: filledText,
  apiKey: optional(secretName, undefined),
  headers: mapOrEmpty(text),
})

const chainObject = objectOf({ models: listOf(modelRef), strict: optional(flag, false) })
const chain: Decode<{ models: string[]; strict: boolean }> = (value, path) =>
  Array.isArray(value) ? { models: listOf(modelRef)(value, path), strict: false } : chainObject(value, path)

const price = objectOf({
  in: usd,
  out: usd,
  cacheRead: optional(usd, undefined),
  cacheWrite: optional(usd, undefined),
})

const catalogEntry = objectOf({
  window: wholeIn(1024, maxTokens),
  maxOutput: optional(wholeIn(1, maxTokens), undefined),
  price: optional(price, undefined),
})

const channel = objectOf({
  type: oneOf(['discord-webhook', 'file', 'stdout', 'scripted']),
  url: optional(filledText, undefined),
  path: optional(filledText, undefined),
})

const checkedChannel: Decode<ReturnType<typeof channel>> = (value, path) => {
  const decoded = channel(value, path)
  const needed = { 'discord-webhook': 'url', file: 'path', stdout: undefined, scripted: 'path' } as const
  const key = needed[decoded.type]
  if (key && decoded[key] === undefined) {
    throw new DecodeProblem(path, `\`${dotted(path)}\` of type ${decoded.type} needs \`${key}\``)
  }
  return decoded
}

/** All keys of `claw.yaml` with their defaults; the harness keys keep OpenClaw's names. */
export function decodeConfig(value: unknown, path: Path = []) {
  return configShape(value, path)
}

const configShape = objectOf({
  team: filledText,
  timezone: timeZone,
  /** Use the `live` source lists of jobs in place of the sample ones. */
  live: optional(flag, false),
  /** `shared`: the workspace lies on a volume that several hosts write to. */
  volume: optional(oneOf(['local', 'shared']), 'local'),
  models: section(
    objectOf({
      providers: mapOrEmpty(provider),
      chains: mapOrEmpty(chain),
      catalog: mapOrEmpty(catalogEntry),
      connectTimeout: optional(duration, 10_000),
      idleTimeout: optional(duration, 120_000),
    }),
  ),
  bootstrap: section(
    objectOf({
      perFileChars: optional(wholeIn(500, 1_000_000), bootstrapDefaults.perFileChars),
      totalChars: optional(wholeIn(2_000, 10_000_000), bootstrapDefaults.totalChars),
    }),
  ),
  toolResults: section(
    objectOf({
      perResultChars: optional(wholeIn(500, 1_000_000), 16_000),
      perRoundChars: optional(wholeIn(500, 10_000_000), 48_000),
    }),
  ),
  compaction: optional(anyValue, undefined),
  contextPruning: optional(anyValue, undefined),
  session: optional(anyValue, undefined),
  coders: optional(anyValue, undefined),
  limits: section(
    objectOf({
      concurrentRuns: optional(wholeIn(1, 1000), undefined),
      rounds: optional(wholeIn(1, 1000), 25),
      spend: section(objectOf({ day: optional(usd, undefined), run: optional(usd, undefined) })),
    }),
  ),
  exec: section(
    objectOf({
      security: optional(oneOf(['deny', 'allowlist']), 'allowlist'),
      allow: optional(listOf(filledText), []),
      timeout: optional(duration, 60_000),
      maxBytes: optional(sizeBytes, 1_048_576),
    }),
  ),
  channels: mapOrEmpty(checkedChannel),
  /** How often agents look at their HEARTBEAT.md unasked; without `every` only by hand. */
  heartbeat: optional(
    objectOf({
      every: optional(duration, undefined),
      /** Time of day in the zone of the team. */
      active: optional(dayWindow, undefined),
      /** None named means all. */
      agents: optional(listOf(filledText), [] as string[]),
      to: optional(filledText, undefined),
      timeout: optional(duration, undefined),
    }),
    undefined,
  ),
  /** Who is told of failures, and after how many in a row; see docs/failures.md. */
  alerts: section(
    objectOf({
      to: optional(filledText, undefined),
      after: optional(wholeIn(1, 1000), 2),
      pauseAfter: optional(wholeIn(1, 100_000), 10),
    }),
  ),
})
