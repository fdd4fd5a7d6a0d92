import { isClawError } from '../../core/claw-error.ts'
import { type DayWindow, isWithin, minutesOf } from '../../core/day-window.ts'
import { hourMs, type Millis, minuteMs } from '../../core/millis.ts'
import type { Delivery } from '../../core/outbox.ts'
import { nextStep } from '../../core/outbox-step.ts'
import { loadEnv } from '../../records/env.ts'
import { type OutboxPeek, peekOutbox } from '../../records/outbox.ts'
import { deliverOne } from '../deliver.ts'
import { maskOf } from '../mask-of.ts'
import { lineOf } from '../outbox.ts'
import type { TickContext } from './context.ts'
import { isHeld } from './free-lease.ts'

/** The hours of a job that has some, and the zone they are in. */
export type HoursOf = (job: string) => { active: DayWindow; timeZone: string } | undefined

/**
 * Sends what is queued and whose time has come, and settles what a dead sender left.
 * A channel that cannot be used does not stop the others. What a person has to
 * decide (failed, unknown) is left alone. Returns what keeps a channel from being
 * used, one line each.
 */
export async function sendWaiting(context: TickContext, hoursOf: HoursOf): Promise<string[]> {
  const { world, root, ports, config, report, dryRun } = context
  const problems = new Map<string, string>()
  const due = waitingNow(context, hoursOf, peekOutbox(world.disk, root)).due
  const env = loadEnv(world, root)
  const setup = { world, root, ports, config, env, mask: maskOf(config, env) }
  for (const delivery of due) {
    const { channel, id } = delivery
    if (dryRun) {
      report.outbox.push(lineOf(delivery))
      continue
    }
    if (problems.has(channel) || (await isHeld(context, `channel-${channel}`))) continue
    try {
      report.outbox.push(lineOf(await deliverOne(setup, id)))
    } catch (error) {
      if (!isClawError(error, 'config-invalid', 'not-found')) throw error
      problems.set(channel, `outbox: ${error.message}`)
    }
  }
  return [...problems.values()]
}

/** When the outbox is to be looked at again; undefined when nothing waits. */
export function nextSending(context: TickContext, hoursOf: HoursOf): Millis | undefined {
  return waitingNow(context, hoursOf, peekOutbox(context.world.disk, context.root)).again
}

/** What can be sent now, and when to ask again about the rest. */
function waitingNow(
  { world }: TickContext,
  hoursOf: HoursOf,
  { deliveries, health }: OutboxPeek,
): { due: Delivery[]; again: Millis | undefined } {
  const now = world.clock.now()
  const due: Delivery[] = []
  const moments: Millis[] = []
  for (const delivery of deliveries) {
    const { channel, agent, job } = delivery
    const known = health.get(channel)
    const step = nextStep(delivery, { kind: 'keyed', now, ...(known && { health: known }) })
    if (step.kind === 'done') continue
    const hours = job === null ? undefined : hoursOf(`${agent}/${job}`)
    const opensAt = hours
      ? openingAfter(hours.active, world.clock.local(now, hours.timeZone).time, now)
      : undefined
    const until = step.kind === 'wait' ? step.until : now
    if (until <= now && opensAt === undefined) due.push(delivery)
    moments.push(Math.max(until, opensAt ?? now))
  }
  return { due, again: moments.length === 0 ? undefined : Math.min(...moments) }
}

/** When to look again, an hour from now at most; undefined inside the window. */
function openingAfter(active: DayWindow, time: string, now: Millis): Millis | undefined {
  if (isWithin(active, time)) return undefined
  const minutes = (active.from - (minutesOf(time) ?? 0) + 24 * 60) % (24 * 60)
  return now + Math.min(hourMs, Math.max(1, minutes) * minuteMs)
}
