import { isObject } from './json-schema.ts'
import { fromIso } from './millis.ts'

/** Every line of the outbox log. `at` is ISO 8601; `piece` counts the messages of one delivery from 0. */
export type OutboxEvent =
  | {
      type: 'enqueued'
      id: string
      at: string
      /** Idempotency key: a second delivery with it is the same delivery. */
      key: string
      channel: string
      /** What is sent, already cut, masked and checked. */
      pieces: readonly string[]
      /** Who it is from, for lists. */
      agent: string
      job: string | null
      run: string
    }
  /** Written before a send; attempts count from 1 for each piece. */
  | { type: 'intent'; id: string; at: string; piece: number; attempt: number }
  | { type: 'delivered'; id: string; at: string; piece: number; attempt: number; ref?: string }
  | {
      type: 'failed'
      id: string
      at: string
      piece: number
      attempt: number
      why: string
      /** True when trying again cannot help, or was tried often enough. */
      permanent: boolean
      /** ISO; not before this moment. */
      retryAt?: string
    }
  /** It may or may not have arrived; never sent again on its own. */
  | { type: 'unknown'; id: string; at: string; piece: number; attempt: number; why: string }
  | { type: 'dropped'; id: string; at: string; why: string }
  /** A person says: what is failed or unknown may be sent again. */
  | { type: 'retry-requested'; id: string; at: string }

/** Undefined for a line that is none; the reader counts and reports it. */
export function decodeOutboxEvent(value: unknown): OutboxEvent | undefined {
  if (!isObject(value) || !isText(value['id']) || !isText(value['at']) || fromIso(value['at']) === undefined)
    return undefined
  const type = String(value['type'])
  const isFit = Object.hasOwn(fits, type) && fits[type]?.(value)
  return isFit ? (value as OutboxEvent) : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

type Fit = (value: Record<string, unknown>) => boolean

const isAttempt: Fit = ({ piece, attempt }) => isCount(piece) && isCount(attempt)

const fits: Readonly<Record<string, Fit | undefined>> = {
  enqueued: ({ key, channel, pieces, agent, job, run }) =>
    [key, channel, agent, run].every(isText) &&
    (job === null || isText(job)) &&
    Array.isArray(pieces) &&
    pieces.every(isText),
  intent: isAttempt,
  delivered: isAttempt,
  failed: value => isAttempt(value) && isText(value['why']) && typeof value['permanent'] === 'boolean',
  unknown: value => isAttempt(value) && isText(value['why']),
  dropped: ({ why }) => isText(why),
  'retry-requested': () => true,
}
