import type { Job } from './job.ts'
import { type Millis, minuteMs, toIso } from './millis.ts'
import { retryAt, type RunFailure } from './retry.ts'
import { missedMark, type RunState } from './run.ts'

/** One claim on a slot, and what became of it. */
export interface SlotAttempt {
  run: string
  claimedAt: Millis
  /** A model had been asked, so that money was spent and tools may have acted. */
  hadEffects: boolean
  /** Its process lives: the end is still to come. */
  isAlive: boolean
  /** Undefined while it runs, and for a process that died. */
  end: { state: RunState; failure: RunFailure | null; at: Millis } | undefined
}

export type SlotDecision =
  /** Claim it as attempt number `attempt` and run. */
  | { kind: 'start'; attempt: number; isLate: boolean }
  /** Not now; `at` is when to look again, where that is known. */
  | { kind: 'later'; reason: string; at: Millis | undefined }
  /** It has its end, which is on record. */
  | { kind: 'settled'; reason: string }
  /** It will not run, and that is to be recorded. */
  | { kind: 'missed'; reason: string }

export interface SlotQuestion {
  job: Pick<Job, 'catchup' | 'retry'>
  slot: Millis
  now: Millis
  attempts: readonly SlotAttempt[]
  /** No later slot of the job is due. */
  isLatest: boolean
}

/** A slot that is not older is on time: cron fires within its minute, a loaded host a little later. */
export const onTimeMs = 2 * minuteMs

/** Runs on one slot that died before they had any effect: what kills its process each time must not do so for ever. */
export const maxSlotTries = 3

/**
 * Whether a due moment is to be run, by the job's own policy. Pure, and the one place
 * that decides it: `run --slot due`, `run --slot <ISO>` and `tick` all ask here.
 */
export function decideSlot(question: SlotQuestion): SlotDecision {
  const { slot, now, attempts } = question
  if (slot > now) return { kind: 'later', reason: `slot ${toIso(slot)} is not due yet`, at: slot }
  const last = attempts.at(-1)
  return last && !isSkippedAhead(last, now) ? afterAttempt(question, last) : firstAttempt(question)
}

/** A skip of a clock that ran ahead says nothing now that the moment is there: else it would keep the job from running. */
function isSkippedAhead({ end }: SlotAttempt, now: Millis): boolean {
  return end?.state === 'skipped' && end.at > now + onTimeMs
}

function firstAttempt({ job, slot, now, attempts, isLatest }: SlotQuestion): SlotDecision {
  const ageMs = now - slot
  const attempt = attempts.length + 1
  if (ageMs <= onTimeMs) return { kind: 'start', attempt, isLate: false }
  const { policy, within } = job.catchup
  const missed = (why: string): SlotDecision => ({
    kind: 'missed',
    reason: `${missedMark} slot ${toIso(slot)} was not run in time, and ${why}`,
  })
  if (policy === 'none') return missed('the job catches nothing up')
  if (ageMs > within) return missed(`its window of ${Math.round(within / minuteMs)} minutes is over`)
  if (policy === 'latest' && !isLatest) return missed('a later one is due')
  return { kind: 'start', attempt, isLate: true }
}

/** How long after its slot a job may still begin. */
function windowMs({ policy, within }: SlotQuestion['job']['catchup']): number {
  return policy === 'none' ? onTimeMs : Math.max(onTimeMs, within)
}

function afterAttempt({ job, slot, now, attempts, isLatest }: SlotQuestion, last: SlotAttempt): SlotDecision {
  const { end, run } = last
  if (!end && last.isAlive) {
    return { kind: 'later', reason: `slot ${toIso(slot)} is being run (run ${run})`, at: undefined }
  }
  const next = attempts.length + 1
  const settled = (why: string): SlotDecision => ({ kind: 'settled', reason: `slot ${toIso(slot)} ${why}` })
  if (end && end.state !== 'crashed') {
    if (!isBadEnd(end.state)) return settled(`ran already (run ${run}: ${end.state})`)
    const isRetried = end.failure !== null && (job.retry.on as RunFailure[]).includes(end.failure)
    if (!isRetried || attempts.length >= job.retry.attempts)
      return settled(`ran already (run ${run}: ${end.state})`)
    if (!isLatest) return settled(`ran already (run ${run}: ${end.state}), and a later one is due`)
    const at = retryAt(job.retry, attempts.length, end.at)
    // A pause is part of the policy, whatever its length; being late for its end is like being late for a slot.
    if (now - at > windowMs(job.catchup))
      return settled(`ran already (run ${run}: ${end.state}), and the time to try again is over`)
    const isAhead = end.at > now + onTimeMs
    return at <= now || isAhead
      ? { kind: 'start', attempt: next, isLate: true }
      : { kind: 'later', reason: `slot ${toIso(slot)} is tried again at ${toIso(at)}`, at }
  }
  const mayRepeat = !last.hadEffects || job.retry.on.includes('crashed')
  if (!mayRepeat) return settled(`ran already (run ${run}: crashed after it had asked a model)`)
  if (attempts.length >= Math.max(maxSlotTries, job.retry.attempts))
    return settled(`was given up after ${attempts.length} runs that crashed`)
  if (!isLatest) return settled(`ran already (run ${run}: crashed), and a later one is due`)
  if (now - slot > windowMs(job.catchup))
    return settled(`ran already (run ${run}: crashed), and its window is over`)
  return { kind: 'start', attempt: next, isLate: true }
}

function isBadEnd(state: RunState): boolean {
  return state === 'failed' || state === 'rejected' || state === 'timed_out'
}
