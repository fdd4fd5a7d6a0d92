import { isClawError } from '../../core/claw-error.ts'
import { fromIso, minuteMs } from '../../core/millis.ts'
import type { DeliveryState } from '../../core/outbox.ts'
import { peekDelivery } from '../../records/outbox.ts'
import { findRun } from '../../records/runs.ts'
import type { Lease } from '../../store/lease.ts'
import type { Claimed } from './admit/claim-slot.ts'
import { dayRefusal, heartbeatRefusal, modelRefusal, spendRefusal, switchRefusal } from './admit/gates.ts'
import { isRefusal, type Refusal } from './admit/refusal.ts'
import { takeLeases } from './admit/take-leases.ts'
import type { Woken } from './admit/wake.ts'
import { checkNeeds, degradedOf, type NeedsVerdict } from './check-needs.ts'
import { endLeases } from './leases.ts'
import type { RunContext } from './open-run.ts'
import { decodeRunOwner, originAfter, type RunOwner } from './run-owner.ts'

export type { Refusal } from './admit/refusal.ts'
export type Admission = Admitted | Refusal

export interface Admitted {
  kind: 'admitted'
  leases: Lease[]
  /** The run whose delivery keys this one goes on with: its own, or that of a crashed run by hand. */
  origin: string
  degraded: string[]
  /** To be called before a model is asked for the first time. */
  markEffects: () => void
  /** To be called when the run came to a good end: what woke it counts as seen. */
  noteGoodEnd: () => void
}

/**
 * May this run start? Switches, the job's lease, its slot, a seat among the runs at
 * the same time, the day, what it needs, money, then the pre-check. Each refusal
 * has its reason; one that settles a slot has claimed it.
 */
export async function admit(run: RunContext): Promise<Admission> {
  const leases: Lease[] = []
  try {
    const admission = await admitted(run, leases)
    if (isRefusal(admission)) endLeases(leases)
    return admission
  } catch (error) {
    // Where the claim could not be written nothing has begun: no crash is to be told. One that was written tells it.
    endLeases(leases, run.slot !== undefined && isClawError(error, 'not-recorded') ? undefined : error)
    throw error
  }
}

async function admitted(run: RunContext, leases: Lease[]): Promise<Admission> {
  const off = switchRefusal(run)
  if (off) return finishSlot(run, off)
  const busy = await takeLeases(run, leases)
  if (busy) return finishSlot(run, busy)
  const needs = checkNeeds(run)
  const claim = await claimed(run, needs)
  if (isRefusal(claim)) return claim
  const refused =
    (await dayRefusal(run)) ??
    (await seatRefusal(run, leases)) ??
    needs.refusal ??
    heartbeatRefusal(run) ??
    modelRefusal(run) ??
    spendRefusal(run)
  if (refused) return refused
  const wake = await woken(run)
  if (isRefusal(wake)) return wake
  return {
    kind: 'admitted',
    leases,
    origin: originAfter(unfinishedBefore(run, leases[0]), run),
    degraded: degradedOf(run, needs),
    markEffects: claim.markEffects,
    noteGoodEnd: () => {
      wake.noteWoken()
      run.heartbeat?.noteDone()
    },
  }
}

/*
 * What only a scheduled run or a job with a pre-check needs is loaded for it alone: a
 * turn by hand is to start fast.
 */

async function finishSlot(run: RunContext, refusal: Refusal): Promise<Refusal> {
  if (run.slot === undefined) return refusal
  return (await import('./admit/claim-slot.ts')).finishSlot(run, refusal)
}

async function claimed(run: RunContext, needs: NeedsVerdict): Promise<Claimed | Refusal> {
  if (run.slot === undefined) return { markEffects: () => {} }
  return (await import('./admit/claim-slot.ts')).claimDueSlot(run, needs)
}

async function seatRefusal(run: RunContext, leases: Lease[]): Promise<Refusal | undefined> {
  if (run.slot === undefined) return undefined
  return (await import('./admit/take-seat.ts')).takeSeat(run, leases)
}

async function woken(run: RunContext): Promise<Woken | Refusal> {
  if (!run.job?.when) return { noteWoken: () => {} }
  return (await import('./admit/wake.ts')).wakeRefusal(run)
}

/**
 * The run by hand that died here and whose delivery keys are still to be used. One
 * that had recorded and sent all is meant only for a short while: it was killed at
 * its last instructions and is being repeated, or could not take its name out.
 */
function unfinishedBefore(run: RunContext, lease: Lease | undefined): RunOwner | undefined {
  const { disk } = run.world
  const previous = decodeRunOwner(lease?.previous)
  const record = previous && findRun(disk, run.root, run.agent, previous.run)
  if (!record || record.state === 'crashed') return previous
  const isOpen = record.deliveries.some(id =>
    openStates.has(peekDelivery(disk, run.root, id)?.state ?? 'dropped'),
  )
  const isJustNow = run.startedAt - (fromIso(previous.since) ?? 0) < justNowMs
  return isOpen || isJustNow ? previous : undefined
}

const justNowMs = 15 * minuteMs
const openStates: ReadonlySet<string> = new Set<DeliveryState>(['queued', 'sending', 'unknown'])
