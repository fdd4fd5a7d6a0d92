import { type FailureClass, failureRules } from './failure.ts'
import { dayMs, type Millis } from './millis.ts'

/** One who rests after failures: `model:<ref>` or `credential:<provider>`. */
export interface Cooldown {
  /** In a row. */
  failures: number
  why: FailureClass
  /** Of the last failure. */
  at: Millis
  until: Millis
}

export type Cooldowns = Readonly<Record<string, Cooldown>>

export type CooldownEvent =
  | { type: 'cooldown.failed'; subject: string; why: FailureClass; at: Millis; retryAfterMs?: number }
  | { type: 'cooldown.answered'; subject: string; at: Millis }

/** A longer pause than this between failures begins a new row. */
const failureWindowMs = dayMs

export function foldCooldown(state: Cooldowns, event: CooldownEvent): Cooldowns {
  const before = state[event.subject]
  if (event.type === 'cooldown.answered') {
    if (!before) return state
    return Object.fromEntries(Object.entries(state).filter(([subject]) => subject !== event.subject))
  }
  if (before && before.at === event.at) return state
  const isRow = before !== undefined && Math.abs(event.at - before.at) < failureWindowMs
  const failures = isRow ? before.failures + 1 : 1
  const restMs = restOf(event.why, failures, event.retryAfterMs ?? 0)
  if (restMs === 0) return state
  return { ...state, [event.subject]: { failures, why: event.why, at: event.at, until: event.at + restMs } }
}

/** Doubles with each failure in a row up to the cap of its class; a provider's own wish may exceed that, up to a day. */
function restOf(why: FailureClass, failures: number, retryAfterMs: number): number {
  const { coolMs, coolMaxMs, cools } = failureRules[why]
  if (cools === 'nobody') return 0
  const doubled = Math.min(coolMs * 2 ** Math.min(failures - 1, 30), coolMaxMs)
  return Math.max(doubled, Math.min(retryAfterMs, dayMs))
}

/**
 * Until when `subject` rests; undefined when it does not. A failure stamped in the
 * future (the clock stepped back) says nothing about now, and no rest is longer
 * than a day, whatever the record says.
 */
export function coolingUntil(state: Cooldowns, subject: string, now: Millis): Millis | undefined {
  const cooldown = state[subject]
  if (!cooldown || !(cooldown.at <= now)) return undefined
  const until = Math.min(cooldown.until, cooldown.at + dayMs)
  return until > now ? until : undefined
}

/** Rests that are over, and rows that are too old to count, need no place in a record. */
export function liveCooldowns(state: Cooldowns, now: Millis): Cooldowns {
  return Object.fromEntries(
    Object.entries(state).filter(([, { at, until }]) => until > now || Math.abs(now - at) < failureWindowMs),
  )
}
