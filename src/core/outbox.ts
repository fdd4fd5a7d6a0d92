import { assertNever } from './assert-never.ts'
import { fromIso, type Millis } from './millis.ts'
import type { OutboxEvent } from './outbox-event.ts'

/** One message of a delivery. */
export interface Piece {
  text: string
  /** `sending`: an intent without an outcome, because it is happening now or because the process died. */
  state: 'waiting' | 'sending' | 'delivered' | 'failed' | 'unknown'
  /** Intents so far; they go on counting over a person's retry. */
  attempts: number
  /** Of those, how many a person's retry has wiped out. */
  forgiven: number
  /** The channel's own id of the message. */
  ref?: string
  /** Of the last failure. */
  why?: string
  /** Not to be tried before this moment. */
  retryAt?: Millis
}

export type DeliveryState = 'queued' | 'sending' | 'delivered' | 'failed' | 'unknown' | 'dropped'

/** One text on its way to one channel. */
export interface Delivery {
  id: string
  key: string
  channel: string
  agent: string
  job: string | null
  run: string
  enqueuedAt: Millis
  changedAt: Millis
  state: DeliveryState
  pieces: readonly Piece[]
  /** Why it is failed, unknown or dropped, or why the last try of a queued one failed; empty else. */
  why: string
  /** When a person last asked for a retry; 0 for never. */
  retriedAt: Millis
}

/** How a channel fares, over all its deliveries. */
export interface ChannelHealth {
  failuresInRow: number
  lastFailedAt: Millis
}

export interface OutboxState {
  deliveries: ReadonlyMap<string, Delivery>
  /** Key to id: the first delivery with a key is the only one. */
  byKey: ReadonlyMap<string, string>
  channels: ReadonlyMap<string, ChannelHealth>
}

/** The state after these events. Repeated, late and unknown ones change nothing. */
export function foldOutbox(events: Iterable<OutboxEvent>, from?: OutboxState): OutboxState {
  const deliveries = new Map(from?.deliveries)
  const byKey = new Map(from?.byKey)
  const channels = new Map(from?.channels)
  for (const event of events) {
    if (event.type === 'enqueued') {
      if (deliveries.has(event.id) || byKey.has(event.key)) continue
      deliveries.set(event.id, enqueued(event))
      byKey.set(event.key, event.id)
      continue
    }
    const before = deliveries.get(event.id)
    if (!before) continue
    const after = applyToDelivery(before, event)
    if (after === before) continue
    deliveries.set(event.id, after)
    channels.set(before.channel, healthAfter(channels.get(before.channel), event))
  }
  return { deliveries, byKey, channels }
}

/** Nothing more happens to it by itself, and no person has to look at it. */
export function isSettled({ state }: Pick<Delivery, 'state'>): boolean {
  return state === 'delivered' || state === 'dropped'
}

/** Those that a person or a later run still has to look at, oldest first. */
export function openDeliveries({ deliveries }: OutboxState): Delivery[] {
  return [...deliveries.values()].filter(delivery => !isSettled(delivery))
}

function enqueued(event: OutboxEvent & { type: 'enqueued' }): Delivery {
  const { id, key, channel, agent, job, run } = event
  const at = fromIso(event.at) ?? 0
  const pieces = event.pieces.map((text): Piece => ({ text, state: 'waiting', attempts: 0, forgiven: 0 }))
  const state = pieces.length === 0 ? 'delivered' : 'queued'
  return {
    id,
    key,
    channel,
    agent,
    job,
    run,
    enqueuedAt: at,
    changedAt: at,
    state,
    pieces,
    why: '',
    retriedAt: 0,
  }
}

/** The same object when the event changes nothing. */
export function applyToDelivery(delivery: Delivery, event: OutboxEvent): Delivery {
  const changedAt = fromIso(event.at) ?? delivery.changedAt
  switch (event.type) {
    case 'enqueued':
      return delivery
    case 'dropped':
      if (isSettled(delivery)) return delivery
      return { ...delivery, changedAt, state: 'dropped', why: event.why }
    case 'retry-requested': {
      const isMeant = delivery.state === 'failed' || delivery.state === 'unknown'
      if (!isMeant || changedAt <= delivery.retriedAt) return delivery
      return settled({ ...delivery, changedAt, retriedAt: changedAt, pieces: delivery.pieces.map(retried) })
    }
    case 'intent':
    case 'delivered':
    case 'failed':
    case 'unknown': {
      const before = delivery.pieces[event.piece]
      const after = before && applyToPiece(before, event)
      if (after === undefined || after === before) return delivery
      return settled({ ...delivery, changedAt, pieces: delivery.pieces.with(event.piece, after) })
    }
    default:
      return assertNever(event)
  }
}

type PieceEvent = Extract<OutboxEvent, { piece: number }>

/** An acceptance is final, whenever it is heard of; any other outcome counts only for the attempt that is open. */
function applyToPiece(piece: Piece, event: PieceEvent): Piece {
  if (piece.state === 'delivered') return piece
  const { text, attempts, forgiven } = piece
  if (event.type === 'delivered') {
    const ref = event.ref === undefined ? {} : { ref: event.ref }
    return { text, attempts: Math.max(attempts, event.attempt), forgiven, state: 'delivered', ...ref }
  }
  if (event.type === 'intent') {
    return event.attempt > attempts ? { text, attempts: event.attempt, forgiven, state: 'sending' } : piece
  }
  if (event.attempt !== attempts || !isOpen(piece, event)) return piece
  if (event.type === 'unknown') return { text, attempts, forgiven, state: 'unknown', why: event.why }
  const retryAt = event.retryAt === undefined ? undefined : fromIso(event.retryAt)
  const state = event.permanent ? 'failed' : 'waiting'
  return { text, attempts, forgiven, state, why: event.why, ...(retryAt !== undefined && { retryAt }) }
}

/** A piece that waits for its next attempt can still be given up. */
function isOpen(piece: Piece, event: PieceEvent): boolean {
  const isGivenUp = event.type === 'failed' && event.permanent && piece.attempts > piece.forgiven
  return piece.state === 'sending' || (piece.state === 'waiting' && isGivenUp)
}

/** Attempts go on counting, so that an outcome of before the retry cannot be taken for one of after. */
function retried(piece: Piece): Piece {
  if (piece.state === 'delivered' || piece.state === 'waiting') return piece
  return { text: piece.text, state: 'waiting', attempts: piece.attempts, forgiven: piece.attempts }
}

function settled(delivery: Delivery): Delivery {
  if (delivery.state === 'dropped') return delivery
  const of = (state: Piece['state']): Piece | undefined =>
    delivery.pieces.find(piece => piece.state === state)
  const failed = of('failed')
  if (failed) return { ...delivery, state: 'failed', why: failed.why ?? '' }
  if (of('sending')) return { ...delivery, state: 'sending', why: '' }
  const waiting = delivery.pieces.filter(piece => piece.state === 'waiting')
  if (waiting.length > 0)
    return { ...delivery, state: 'queued', why: waiting.find(({ why }) => why !== undefined)?.why ?? '' }
  const unknown = of('unknown')
  return unknown
    ? { ...delivery, state: 'unknown', why: unknown.why ?? '' }
    : { ...delivery, state: 'delivered', why: '' }
}

function healthAfter(
  before: ChannelHealth = { failuresInRow: 0, lastFailedAt: 0 },
  event: OutboxEvent,
): ChannelHealth {
  switch (event.type) {
    case 'delivered':
    case 'retry-requested':
      return { failuresInRow: 0, lastFailedAt: 0 }
    case 'failed':
    case 'unknown':
      return {
        failuresInRow: before.failuresInRow + 1,
        lastFailedAt: fromIso(event.at) ?? before.lastFailedAt,
      }
    default:
      return before
  }
}
