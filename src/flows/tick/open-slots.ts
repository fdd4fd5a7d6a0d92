import { slotsBetween } from '../../core/cron.ts'
import type { Job } from '../../core/job.ts'
import { dayMs, type Millis, minuteMs, toIso } from '../../core/millis.ts'
import type { Timing } from '../../core/schedule-text.ts'
import { decideSlot, onTimeMs, type SlotAttempt, type SlotDecision } from '../../core/slot-policy.ts'
import { fillPath } from '../../core/zone.ts'
import { peekIncidents } from '../../records/incidents.ts'
import { peekClaims, type SlotName } from '../../records/slots.ts'
import { isWindowOver, peekAttempts, ranBefore, windowEnd } from '../run-job/admit/claim-slot.ts'
import { checkNeeds } from '../run-job/check-needs.ts'
import { pathNames } from '../run-job/open-run.ts'
import { ownPath } from '../run-job/product.ts'
import type { TickContext } from './context.ts'
import { isHeld } from './free-lease.ts'
import { type AwaitedFile, awaitedFile } from './signs.ts'

/** A slot has a crontab line of its own, which gets this long before a tick does its work. */
export const lineGoesFirstMs = minuteMs

/** What begins the reason of a slot that waits for what it needs. */
export const waitsForFile = 'waits for a file'

export const ownLineFirst = 'its own line comes first'

/** Slots of one job that a tick looks at one by one; older ones are recorded together. */
const mostSlots = 200

/** How many of the older ones are counted. */
export const mostOlder = 5_000

export interface OpenSlot {
  slot: Millis
  decision: SlotDecision
  attempts: readonly SlotAttempt[]
  /** Files that it waits for, as they were before they were looked at. */
  awaited: readonly AwaitedFile[]
}

export interface Look {
  /** In order of time. */
  open: OpenSlot[]
  /** Slots without any claim that are recorded together: too many, or of a long silence; oldest first. */
  older: Millis[]
}

interface LookSpan extends Timing {
  after: Millis
  until: Millis
  /** After a long silence, what is too late to be caught up is recorded together. */
  joinsMissed?: boolean
}

/** Nobody asks for single slots of a host that was off for so long, or whose clock was wrong by months. */
export const longSilenceMs = 7 * dayMs

/** What is due of a job between two moments, and what is to become of each slot. Reads only. */
export async function lookAtSlots(context: TickContext, job: Job, span: LookSpan): Promise<Look> {
  const { schedule, timeZone, after, until, joinsMissed = false } = span
  const slots = slotsBetween(schedule, timeZone, after, until, mostSlots)
  const nameOf = (slot: Millis): SlotName => ({ agent: job.agent, job: job.name, slot })
  const { disk, clock } = context.world
  const isUnclaimed = (slot: Millis): boolean => peekClaims(disk, context.root, nameOf(slot)).length === 0
  const beyond =
    slots.length < mostSlots ? [] : slotsBetween(schedule, timeZone, after, slots[0]! - 1, mostOlder)
  const older = beyond.filter(isUnclaimed)
  const isLong = joinsMissed && clock.now() - after > longSilenceMs
  const open: OpenSlot[] = []
  for (const slot of slots) {
    const isLatest = slot === slots.at(-1)
    if (isLong && !isCaughtUp(job, { ageMs: clock.now() - slot, isLatest }) && isUnclaimed(slot)) {
      older.push(slot)
      continue
    }
    const attempts = await attemptsOn(context, nameOf(slot))
    const asked = { slot, attempts, isLatest, timeZone }
    const awaited = awaitedBy(context, job, asked)
    open.push({ slot, attempts, awaited, decision: decide(context, job, asked) })
  }
  return { open, older }
}

/** May a slot that nobody has begun still be run? */
function isCaughtUp({ catchup }: Job, { ageMs, isLatest }: { ageMs: number; isLatest: boolean }): boolean {
  if (ageMs <= onTimeMs) return true
  if (catchup.policy === 'none' || ageMs > catchup.within) return false
  return isLatest || catchup.policy === 'all'
}

/** Asks twice: a run that was just ending has its record by then. */
async function attemptsOn(context: TickContext, name: SlotName): Promise<SlotAttempt[]> {
  const { world, root } = context
  const attempts = peekAttempts(world.disk, root, name, false)
  const last = attempts.at(-1)
  if (!last || last.end || last.run === '') return attempts
  const isAlive = await isHeld(context, `${name.agent}.${name.job}`)
  return peekAttempts(world.disk, root, name, isAlive)
}

interface Asked {
  slot: Millis
  attempts: readonly SlotAttempt[]
  isLatest: boolean
  timeZone: string
}

function decide(context: TickContext, job: Job, asked: Asked): SlotDecision {
  const { world, root } = context
  const { slot, attempts, isLatest } = asked
  const now = world.clock.now()
  const name = { agent: job.agent, job: job.name, slot }
  const earlier = attempts.every(({ run }) => run === '') ? ranBefore(world.disk, root, name) : undefined
  if (earlier)
    return {
      kind: 'settled',
      reason: `slot ${toIso(slot)} ran already (run ${earlier.run}: ${earlier.state})`,
    }
  const hasLine = job.schedule.kind === 'cron'
  if (attempts.length === 0 && hasLine && now - slot < lineGoesFirstMs)
    return { kind: 'later', reason: ownLineFirst, at: slot + lineGoesFirstMs }
  const decision = decideSlot({ job, slot, now, attempts, isLatest })
  if (decision.kind !== 'start') return decision
  return pausedSlot(context, job, asked) ?? waitingSlot(context, job, asked) ?? decision
}

/** A job that was stopped runs none of its slots; one that ran and ended badly is not tried again. */
function pausedSlot(
  { world, root }: TickContext,
  { agent, name }: Job,
  { slot, attempts }: Asked,
): SlotDecision | undefined {
  const key = `${agent}/${name}`
  const pause = peekIncidents(world.disk, root).paused[key]
  if (!pause) return undefined
  const reason = `paused since ${pause.at}: ${pause.reason}; claw cron resume ${key}`
  return attempts.length === 0
    ? { kind: 'missed', reason }
    : { kind: 'settled', reason: `slot ${toIso(slot)}: ${reason}` }
}

function waitingSlot(
  { world, root }: TickContext,
  job: Job,
  { slot, timeZone }: Asked,
): SlotDecision | undefined {
  const now = world.clock.now()
  if (!job.needs.some(need => need.else === 'wait') || isWindowOver(job, slot, now)) return undefined
  const day = world.clock.local(slot, timeZone)
  const { waitsFor } = checkNeeds({ world, root, agent: job.agent, job, day })
  return waitsFor === undefined
    ? undefined
    : { kind: 'later', reason: `${waitsForFile}: ${waitsFor}`, at: windowEnd(job, slot) }
}

/** The files of a job that waits, looked at before anything is decided by them. */
function awaitedBy({ world, root }: TickContext, job: Job, { slot, timeZone }: Asked): AwaitedFile[] {
  if (isWindowOver(job, slot, world.clock.now())) return []
  const day = world.clock.local(slot, timeZone)
  const names = pathNames({ agent: job.agent, job, day })
  return job.needs
    .filter(need => need.else === 'wait')
    .map(({ file }) => awaitedFile(world.disk, ownPath({ root, agent: job.agent }, fillPath(file, names))))
}
