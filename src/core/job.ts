import { tiers } from './config.ts'
import { clockTime, dayWindow } from './day-window.ts'
import {
  anyValue,
  type Decode,
  DecodeProblem,
  duration,
  filledText,
  flag,
  listOf,
  mapOrEmpty,
  objectOf,
  oneOf,
  optional,
  type Path,
  text,
  wholeIn,
} from './decode.ts'
import { fromIso, hourMs, type Millis, minuteMs } from './millis.ts'
import { decideRelative, splitPath } from './paths-policy.ts'
import { maxAttempts, retryClasses, retryDefaults, transientClasses } from './retry.ts'
import { isTimeZone } from './zone.ts'

/** When a job is due. */
export type Schedule =
  | { kind: 'cron'; expression: string }
  | { kind: 'every'; everyMs: number }
  | { kind: 'at'; at: number }
  | { kind: 'manual' }

/** `agents/<agent>/jobs/<job>.md`: schedule, contract and delivery; the body is the prompt. */
export interface Job extends JobFields {
  agent: string
  name: string
  /** Relative to the workspace. */
  file: string
  schedule: Schedule
  prompt: string
}

export type Need = JobFields['needs'][number]

const timeZoneOrNone: Decode<string | undefined> = (value, path) => {
  if (value === undefined || value === null) return undefined
  const name = filledText(value, path)
  if (isTimeZone(name)) return name
  throw new DecodeProblem(path, `\`tz\` must be an IANA time zone such as Asia/Shanghai, not ${name}`)
}

const sessionName: Decode<string> = (value, path) => {
  const name = filledText(value, path)
  if (/^(isolated|main|named:[\w.-]{1,64})$/.test(name)) return name
  throw new DecodeProblem(path, `\`session\` must be isolated, main or named:<word>, not ${name}`)
}

const whenShape = objectOf({
  tool: optional(filledText, undefined),
  with: mapOrEmpty(anyValue),
  exec: optional(filledText, undefined),
  /** Wake the model only when the output differs from that of the last good run. */
  changed: optional(flag, false),
})

const whenCheck: Decode<ReturnType<typeof whenShape>> = (value, path) => {
  const when = whenShape(value, path)
  if ((when.tool === undefined) !== (when.exec === undefined)) return when
  throw new DecodeProblem(path, '`when` needs either `tool: <collector>` or `exec: <program and arguments>`')
}

/** A missed slot is run when it is not older than `within`; morning news at noon is no longer morning news. */
const catchupDefaults = { policy: 'latest' as 'latest' | 'all' | 'none', within: 2 * hourMs }

export const exchanges = ['XSHG', 'XNYS'] as const

const fields = objectOf({
  description: optional(text, ''),
  schedule: optional(text, undefined),
  every: optional(duration, undefined),
  at: optional(text, undefined),
  tz: timeZoneOrNone,
  enabled: optional(flag, true),
  tier: optional(oneOf(tiers), 'routine'),
  /** Required: without a configured model the job is skipped; there is no offline text in its place. */
  model: optional(oneOf(['optional', 'required']), 'optional'),
  timeout: optional(duration, 180_000),
  session: optional(sessionName, 'isolated'),
  overlap: optional(oneOf(['skip', 'queue']), 'skip'),
  catchup: optional(
    objectOf({
      policy: optional(oneOf(['latest', 'all', 'none']), 'latest'),
      within: optional(duration, catchupDefaults.within),
    }),
    catchupDefaults,
  ),
  retry: optional(
    objectOf({
      attempts: optional(wholeIn(1, maxAttempts), 3),
      backoff: optional(duration, retryDefaults.backoff),
      on: optional(listOf(oneOf(retryClasses)), transientClasses),
    }),
    retryDefaults,
  ),
  /** A pre-check without a model: one collector or one program. */
  when: optional(whenCheck, undefined),
  market: optional(
    objectOf({ exchange: oneOf(exchanges), during: optional(oneOf(['day', 'session']), 'day') }),
    undefined,
  ),
  active: optional(dayWindow, undefined),
  lacks: optional(listOf(filledText), []),
  gather: optional(listOf(objectOf({ tool: filledText, with: mapOrEmpty(anyValue) })), []),
  needs: optional(
    listOf(
      objectOf({
        file: filledText,
        maxAge: optional(duration, undefined),
        else: optional(oneOf(['degrade', 'skip', 'fail', 'wait']), 'degrade'),
      }),
    ),
    [],
  ),
  tools: optional(listOf(filledText), []),
  skills: optional(listOf(filledText), []),
  /** The whole reply NO_REPLY (or HEARTBEAT_OK) is a good outcome. */
  silent: optional(flag, false),
  produces: optional(listOf(objectOf({ file: filledText, check: mapOrEmpty(anyValue) })), []),
  /** Checks of the reply itself, for a job that produces no file. */
  check: mapOrEmpty(anyValue),
  deliver: optional(
    objectOf({
      to: optional(filledText, undefined),
      mode: optional(oneOf(['self-post', 'announce', 'on-alert', 'none']), 'announce'),
      /** Slot times at which `on-alert` sends in any case. */
      always: optional(listOf(clockTime), [] as string[]),
    }),
    undefined,
  ),
  rounds: optional(wholeIn(1, 1000), undefined),
})

/** Paths of a job are its agent's own unless they name a folder of the team. */
export function isTeamPath(path: string): boolean {
  return /^(shared-context|agents|sources|vault)\//.test(path)
}

/** Why a product may not go there: what an agent may not write, its job may not either, except in folders of the team. */
function refusedProduct(file: string, agent: string): string | undefined {
  const path = file.replaceAll('{agent}', agent)
  const segments = splitPath(path)
  if (!Array.isArray(segments)) return segments.why
  const relative = isTeamPath(path) ? path : `agents/${agent}/${path}`
  const no = decideRelative(relative, { action: 'write', scope: 'own', agent })
  return no && no.reason !== 'not-own' ? no.why : undefined
}

type JobFields = Omit<ReturnType<typeof fields>, 'schedule' | 'every' | 'at'>

/** Throws `DecodeProblem` with the path of the wrong member; an empty path is the body. */
export function decodeJob(
  origin: { agent: string; name: string; file: string },
  frontmatter: unknown,
  body: string,
): Job {
  const { schedule, every, at, ...rest } = fields(frontmatter, [])
  const prompt = body.trim()
  if (prompt === '' && rest.tier !== 'tool') {
    throw new DecodeProblem(
      [],
      'the prompt is empty; write what the agent is to do below the frontmatter, or set `tier: tool`',
    )
  }
  for (const [index, { file }] of rest.produces.entries()) {
    const why = refusedProduct(file, origin.agent)
    if (why !== undefined) throw new DecodeProblem(['produces', index, 'file'], `\`${file}\`: ${why}`)
  }
  const { deliver } = rest
  if (deliver && deliver.mode !== 'none' && deliver.to === undefined) {
    throw new DecodeProblem(['deliver'], '`deliver` needs `to: <channel>`; no target is ever guessed')
  }
  return { ...origin, ...rest, schedule: decodeSchedule({ schedule, every, at }), prompt }
}

function decodeSchedule(given: { schedule?: string; every?: number; at?: string }): Schedule {
  const named = (['schedule', 'every', 'at'] as const).filter(key => given[key] !== undefined)
  if (named.length > 1)
    throw new DecodeProblem([named[1]!], `give one of schedule, every, at; here are ${named.join(' and ')}`)
  if (given.every !== undefined) return { kind: 'every', everyMs: atLeastMinute(given.every, ['every']) }
  if (given.at !== undefined) {
    return { kind: 'at', at: instantOf(given.at) }
  }
  if (given.schedule === undefined) return { kind: 'manual' }
  const expression = given.schedule.trim()
  if (!expression.startsWith('@') && expression.split(/\s+/).length !== 5) {
    throw new DecodeProblem(
      ['schedule'],
      `\`schedule\` must have five fields (minute hour day month weekday), not "${expression}"`,
    )
  }
  return { kind: 'cron', expression }
}

/** A moment without an offset would be another one on each host. */
function instantOf(text: string): Millis {
  const at = fromIso(text)
  if (at === undefined) throw new DecodeProblem(['at'], `\`at\` must be an ISO instant, not ${text}`)
  if (/T.*(Z|[+-]\d{2}:?\d{2})$/i.test(text.trim())) return at
  throw new DecodeProblem(
    ['at'],
    `\`at: ${text}\` does not say in which zone; write ${text.length > 10 ? text : `${text}T09:00`}+08:00, or Z for UTC`,
  )
}

function atLeastMinute(everyMs: number, path: Path): number {
  if (everyMs >= minuteMs) return everyMs
  throw new DecodeProblem(path, '`every` must be a minute or more: cron wakes nothing sooner')
}

/** What its text must keep: the checks of its first product, else its own. */
export function contractOf(job: Job | undefined): Readonly<Record<string, unknown>> {
  return job?.produces[0]?.check ?? job?.check ?? {}
}

/** Every set of checks that a job names. */
export function checksOf({ check, produces }: Job): Readonly<Record<string, unknown>>[] {
  return [check, ...produces.map(product => product.check)]
}

/** The job that every agent has without a file of its own. */
export const heartbeatName = 'heartbeat'

/** `<agent>/<job>`, the one way to name a job. */
export function jobKey(job: { agent: string; name: string }): string {
  return `${job.agent}/${job.name}`
}
