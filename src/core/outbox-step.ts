import { type Millis, hourMs, minuteMs, secondMs, toIso } from './millis.ts'
import type { ChannelHealth, Delivery } from './outbox.ts'
import type { OutboxEvent } from './outbox-event.ts'

/**
 * `keyed`: sending the same key twice has the effect of once. `blind`: it has
 * not, so a send whose outcome was lost is never repeated.
 */
export type TransportKind = 'keyed' | 'blind'

/** What a channel says of one send. */
export type SendOutcome =
  | { kind: 'sent'; ref?: string }
  /** Not accepted, for sure. */
  | { kind: 'refused'; why: string; permanent: boolean; retryAfterMs?: number }
  /** It may or may not have been accepted. */
  | { kind: 'lost'; why: string }

export type NextStep =
  /** Record `intent`, then send, then record what `outcomeEvent` makes of it. */
  | { kind: 'send'; piece: number; attempt: number; key: string; text: string; intent: OutboxEvent }
  /** Record this event and ask again: a crash left something open that must not, or can no longer, be sent. */
  | { kind: 'record'; event: OutboxEvent }
  | { kind: 'wait'; until: Millis; why: string }
  | { kind: 'done' }

/** Sends of one piece before it is given up. Counted before the work, so that a send that kills the process counts. */
export const maxAttempts = 3
/** Failures in a row, over all deliveries of a channel, after which it rests. */
export const breakerFailures = 5
export const breakerRestMs = 30 * minuteMs
const retryMinMs = secondMs
const retryMaxMs = 6 * hourMs
const firstRetryMs = 5 * secondMs

interface StepInput {
  kind: TransportKind
  now: Millis
  health?: ChannelHealth
}

/** What to do now for a delivery whose log says this. One process at a time asks and acts. */
export function nextStep(delivery: Delivery, { kind, now, health }: StepInput): NextStep {
  if (delivery.state !== 'queued' && delivery.state !== 'sending') return { kind: 'done' }
  const index = delivery.pieces.findIndex(({ state }) => state === 'sending' || state === 'waiting')
  const piece = delivery.pieces[index]
  if (!piece) return { kind: 'done' }
  const at = { id: delivery.id, at: toIso(now), piece: index }
  if (piece.state === 'sending' && kind === 'blind') {
    const why = 'the process ended between send and answer: it may or may not have arrived'
    return { kind: 'record', event: { type: 'unknown', ...at, attempt: piece.attempts, why } }
  }
  if (piece.attempts - piece.forgiven >= maxAttempts) {
    const why = givenUp(piece.why ?? 'no answer was recorded')
    return { kind: 'record', event: { type: 'failed', ...at, attempt: piece.attempts, why, permanent: true } }
  }
  const rest = restOf(piece.retryAt, health, now)
  if (rest) return rest
  const attempt = piece.attempts + 1
  const intent: OutboxEvent = { type: 'intent', ...at, attempt }
  return { kind: 'send', piece: index, attempt, key: pieceKey(delivery, index), text: piece.text, intent }
}

interface Sent {
  delivery: Delivery
  piece: number
  attempt: number
  kind: TransportKind
  now: Millis
}

/** What to record of a send. Only a refusal that is sure is ever repeated, and on a keyed transport a lost answer. */
export function outcomeEvent(
  outcome: SendOutcome,
  { delivery, piece, attempt, kind, now }: Sent,
): OutboxEvent {
  const at = { id: delivery.id, at: toIso(now), piece, attempt }
  if (outcome.kind === 'sent')
    return { type: 'delivered', ...at, ...(outcome.ref !== undefined && { ref: outcome.ref }) }
  const { why } = outcome
  if (outcome.kind === 'lost' && kind === 'blind') return { type: 'unknown', ...at, why }
  const isPermanent = outcome.kind === 'refused' && outcome.permanent
  if (isPermanent) return { type: 'failed', ...at, why, permanent: true }
  const count = attempt - (delivery.pieces[piece]?.forgiven ?? 0)
  if (count >= maxAttempts) return { type: 'failed', ...at, why: givenUp(why), permanent: true }
  const asked = outcome.kind === 'refused' ? outcome.retryAfterMs : undefined
  const waitMs = Math.min(retryMaxMs, Math.max(retryMinMs, asked ?? firstRetryMs * 4 ** (count - 1)))
  return { type: 'failed', ...at, why, permanent: false, retryAt: toIso(now + waitMs) }
}

/** The key of one message of a delivery. */
export function pieceKey({ key, pieces }: Delivery, index: number): string {
  return pieces.length === 1 ? key : `${key}.${index + 1}of${pieces.length}`
}

/** True while the channel rests after failures in a row. One stamped in the future (the clock stepped back) says nothing about now. */
export function isResting(health: ChannelHealth | undefined, now: Millis): boolean {
  return (
    health !== undefined &&
    health.failuresInRow >= breakerFailures &&
    health.lastFailedAt <= now &&
    now < health.lastFailedAt + breakerRestMs
  )
}

function restOf(
  retryAt: Millis | undefined,
  health: ChannelHealth | undefined,
  now: Millis,
): NextStep | undefined {
  // No wait is that long: such a stamp is of a clock that has been set back since.
  const isStale = retryAt !== undefined && retryAt - now > retryMaxMs
  if (retryAt !== undefined && retryAt > now && !isStale)
    return { kind: 'wait', until: retryAt, why: 'waiting to try again' }
  if (!health || !isResting(health, now)) return undefined
  const why = `the channel failed ${health.failuresInRow} times in a row and rests`
  return { kind: 'wait', until: health.lastFailedAt + breakerRestMs, why }
}

function givenUp(why: string): string {
  return `given up after ${maxAttempts} attempts: ${why}`
}
