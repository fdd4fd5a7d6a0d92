import { type FailureClass, failureRules } from './failure.ts'
import { type Millis, minuteMs } from './millis.ts'

/** Why a run came to a bad end: a class of the models' table, or one of a run itself. */
export type RunFailure = FailureClass | 'rejected' | 'crashed' | 'nothing-gathered' | 'needs' | 'other'

export const retryClasses = [
  ...(Object.keys(failureRules) as FailureClass[]),
  'rejected',
  'crashed',
  'nothing-gathered',
] as const satisfies readonly RunFailure[]

/** What passes by itself; the rest is the same on the next try. */
export const transientClasses: (typeof retryClasses)[number][] = [
  'rate-limit',
  'overloaded',
  'server',
  'timeout',
  'network',
  'empty',
]

export interface RetryPolicy {
  /** Runs on one slot, the first included. */
  attempts: number
  /** Pause after the first bad end, in milliseconds; it doubles with each further one. */
  backoff: number
  on: (typeof retryClasses)[number][]
}

export const maxAttempts = 10

/** No retry where a job asks for none. */
export const retryDefaults: RetryPolicy = { attempts: 1, backoff: 5 * minuteMs, on: [] }

/** When the next attempt may begin, after `ended` bad ones of which the last ended at `at`. */
export function retryAt({ backoff }: RetryPolicy, ended: number, at: Millis): Millis {
  return at + backoff * 2 ** Math.max(0, ended - 1)
}
