import type { CooldownEvent, Cooldowns } from '../core/cooldown.ts'
import { type FailureClass, failureRules, retryAfterMaxMs } from '../core/failure.ts'
import type { AssistantMessage, Usage } from '../core/message.ts'
import { type Millis, toIso } from '../core/millis.ts'
import type { Clock } from '../world/clock.ts'
import type { Random } from '../world/random.ts'
import { restingUntil, subjectFor, subjectsIn } from './cooldown-subject.ts'
import type { Ask, AskModel, ModelLink, Reply } from './model.ts'

/** Where rests are kept; the file behind it is somebody else's. */
export interface CooldownBook {
  peek: () => Cooldowns
  record: (event: CooldownEvent) => void
}

export interface Chain {
  /** In order of preference. A chain that is not strict ends with an `offline` link. */
  links: readonly ModelLink[]
  ask: AskModel
  cooldowns: CooldownBook
  clock: Clock
  random: Random
  /** Each failure as it happens, for progress and the log. */
  onAttempt?: (attempt: Attempt) => void
}

export type ChainRequest = Omit<Ask, 'link' | 'maxOutputTokens'> & { maxOutputTokens?: number }

/** One try that gave no answer, or one link that was passed over while it rests. */
export interface Attempt {
  ref: string
  why: FailureClass | 'cooling'
  detail: string
  status?: number
  /** Waited after this try before the next on the same link. */
  waitedMs: number
  usage?: Usage
  /** Cut text, for people. */
  partial?: string
}

export type ChainOutcome =
  | { kind: 'answered'; message: AssistantMessage; link: ModelLink; attempts: Attempt[] }
  /** The prompt is too long for this link: compact, then ask again. Never a reason to fall back. */
  | { kind: 'overflow'; link: ModelLink; attempts: Attempt[] }
  /** The model declined or the run was aborted: no other model is asked. */
  | { kind: 'stopped'; why: FailureClass; attempts: Attempt[] }
  /** `soonestRetryAt` is the earliest end of a rest among the links. */
  | { kind: 'exhausted'; attempts: Attempt[]; soonestRetryAt: Millis | undefined }

type LinkEnd =
  | (Reply & { kind: 'answered' })
  | { kind: 'next' }
  | { kind: 'overflow' }
  | { kind: 'stopped'; why: FailureClass }

/** Each link in turn, as `failureRules` says. Nothing of a fallback is remembered but the rests. */
export async function askChain(chain: Chain, request: ChainRequest): Promise<ChainOutcome> {
  const attempts: Attempt[] = []
  const note = (attempt: Attempt): void => {
    attempts.push(attempt)
    chain.onAttempt?.(attempt)
  }
  for (const link of chain.links) {
    const until = restingUntil(chain.cooldowns.peek(), link, chain.clock.now())
    if (until !== undefined) {
      note({
        ref: link.ref,
        why: 'cooling',
        detail: `rests until ${toIso(until)}`,
        waitedMs: 0,
      })
      continue
    }
    const end = await askLink(chain, link, { request, note })
    if (end.kind === 'answered') return { kind: 'answered', message: end.message, link, attempts }
    if (end.kind === 'overflow') return { kind: 'overflow', link, attempts }
    if (end.kind === 'stopped') return { kind: 'stopped', why: end.why, attempts }
  }
  return { kind: 'exhausted', attempts, soonestRetryAt: soonestRetryAt(chain) }
}

interface LinkTry {
  request: ChainRequest
  note: (attempt: Attempt) => void
}

async function askLink(chain: Chain, link: ModelLink, { request, note }: LinkTry): Promise<LinkEnd> {
  const { ask, clock } = chain
  for (let tries = 1; ; tries += 1) {
    const maxOutputTokens = Math.min(request.maxOutputTokens ?? link.maxOutput, link.maxOutput)
    const reply = await ask({ ...request, link, maxOutputTokens })
    if (reply.kind === 'answered') {
      recordAnswer(chain, link)
      return reply
    }
    const waitMs = waitBeforeRetry(reply, tries, chain.random)
    note(attemptOf(link, reply, waitMs ?? 0))
    if (request.signal?.aborted) return { kind: 'stopped', why: 'aborted' }
    const { does } = failureRules[reply.why]
    if (does === 'stop') return { kind: 'stopped', why: reply.why }
    if (does === 'compact') return { kind: 'overflow' }
    if (waitMs === undefined) {
      recordFailure(chain, link, reply)
      return { kind: 'next' }
    }
    await clock.sleep(waitMs, request.signal)
    if (request.signal?.aborted) return { kind: 'stopped', why: 'aborted' }
  }
}

type Refused = Reply & { kind: 'refused' }

function attemptOf(
  { ref }: ModelLink,
  { why, detail, status, usage, partial }: Refused,
  waitedMs: number,
): Attempt {
  return {
    ref,
    why,
    detail,
    waitedMs,
    ...(status !== undefined && { status }),
    ...(usage && { usage }),
    ...(partial !== undefined && { partial }),
  }
}

const backOffMs = 1000
const backOffMaxMs = 15_000

/** Undefined when this link is not tried again in this run: its tries are used up, or it asks for more patience than a run has. */
function waitBeforeRetry({ why, retryAfterMs }: Refused, tries: number, random: Random): number | undefined {
  const rule = failureRules[why]
  if (rule.does !== 'retry' || tries >= rule.tries) return undefined
  if (retryAfterMs !== undefined) return retryAfterMs <= retryAfterMaxMs ? retryAfterMs : undefined
  if (rule.cools === 'nobody') return 0
  const fullMs = Math.min(backOffMs * 2 ** (tries - 1), backOffMaxMs)
  return Math.round(fullMs * (0.5 + random.fraction() / 2))
}

function recordFailure({ cooldowns, clock }: Chain, link: ModelLink, { why, retryAfterMs }: Refused): void {
  const subject = subjectFor(link, why)
  if (subject === undefined) return
  cooldowns.record({
    type: 'cooldown.failed',
    subject,
    why,
    at: clock.now(),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  })
}

/** Only a row of failures that is on record needs an end. */
function recordAnswer({ cooldowns, clock }: Chain, link: ModelLink): void {
  for (const subject of subjectsIn(cooldowns.peek(), link)) {
    cooldowns.record({ type: 'cooldown.answered', subject, at: clock.now() })
  }
}

function soonestRetryAt({ links, cooldowns, clock }: Chain): Millis | undefined {
  const untils = links.flatMap(link => restingUntil(cooldowns.peek(), link, clock.now()) ?? [])
  return untils.length === 0 ? undefined : Math.min(...untils)
}

/** The links from the one that answered: within a run, those before it are not tried again. */
export function linksFrom(links: readonly ModelLink[], { ref }: ModelLink): readonly ModelLink[] {
  const at = links.findIndex(link => link.ref === ref)
  return at === -1 ? links : links.slice(at)
}
