import { join } from 'node:path'
import { type Job, jobKey } from '../../../core/job.ts'
import { fromIso, type Millis, minuteMs, toIso } from '../../../core/millis.ts'
import type { RunRecord } from '../../../core/run.ts'
import { decideSlot, onTimeMs, type SlotAttempt, type SlotDecision } from '../../../core/slot-policy.ts'
import { findRun, peekRunsWith } from '../../../records/runs.ts'
import { peekWatches } from '../../../records/schedule.ts'
import { claimSlot, markEffects, peekClaims, type SlotClaim, type SlotName } from '../../../records/slots.ts'
import type { Disk } from '../../../world/disk.ts'
import type { NeedsVerdict } from '../check-needs.ts'
import type { RunContext } from '../open-run.ts'
import { ownerOfClaim } from '../run-owner.ts'
import { type Refusal, skipped } from './refusal.ts'
import { recordCrash } from './take-leases.ts'

export interface Claimed {
  /** To be called before a model is asked for the first time. */
  markEffects: () => void
}

const nothingToMark: Claimed = { markEffects: () => {} }

/** The slot is ours (or none is meant), else why not. To be called while the job's lease is held. */
export async function claimDueSlot(run: RunContext, needs: NeedsVerdict): Promise<Claimed | Refusal> {
  const { world, root, agent, job, slot } = run
  if (!job || slot === undefined) return nothingToMark
  const name = { agent, job: job.name, slot }
  const since = run.request.slot === 'due' ? beginOf(run, job) : undefined
  if (since !== undefined && since <= run.startedAt && slot < since)
    return settledAlready(run, `slot ${toIso(slot)} is older than the schedule, which began ${toIso(since)}`)
  for (const claim of peekClaims(world.disk, root, name)) await recordCrash(run, ownerOfClaim(claim, name))
  const earlier = ranBefore(world.disk, root, name)
  const claims = peekClaims(world.disk, root, name)
  if (claims.every(claim => claim.run === '') && earlier)
    return settledAlready(run, `slot ${toIso(slot)} ran already (run ${earlier.run}: ${earlier.state})`)
  const decision = await decide(run, job, slot, claims)
  switch (decision.kind) {
    case 'later':
      return skipped(decision.reason)
    case 'settled':
      return settledAlready(run, decision.reason)
    case 'missed':
      return finishSlot(run, skipped(decision.reason, { settlesSlot: true }))
    case 'start': {
      if (needs.waitsFor !== undefined && !isWindowOver(job, slot, run.startedAt))
        return skipped(`waits for a file: ${needs.waitsFor}`, { isRecorded: run.request.slot !== 'due' })
      if (claimSlot(world, root, name, decision.attempt, run.run))
        return { markEffects: () => markEffects(world, root, name, decision.attempt) }
      return settledAlready(run, `slot ${toIso(slot)} was claimed by another process`)
    }
  }
}

/** Since when the slots of a job count: as `tick` has it, else since its file was written. */
function beginOf({ world: { disk }, root }: RunContext, job: Job): Millis | undefined {
  const watch = peekWatches(disk, root)[jobKey(job)]
  if (watch) return watch.since
  const written = disk.stat(join(root, job.file))?.mtimeMs
  return written === undefined ? undefined : written - onTimeMs
}

/** A person who names a slot, or says `auto`, means it whatever its age; what the scheduler calls keeps to the window. */
async function decide(
  run: RunContext,
  job: Job,
  slot: Millis,
  claims: readonly SlotClaim[],
): Promise<SlotDecision> {
  const { nextSlots } = await import('../../../core/cron.ts')
  const now = run.startedAt
  const [next] = nextSlots(job.schedule, run.timeZone, slot, 1)
  const isScheduler = run.request.slot === 'due'
  return decideSlot({
    job: isScheduler ? job : { ...job, catchup: { policy: 'all', within: Number.POSITIVE_INFINITY } },
    slot,
    now,
    attempts: attemptsOf(run.world.disk, run.root, run.agent, claims),
    isLatest: !isScheduler || next === undefined || next > now,
  })
}

/** The claims with what became of each. Nobody is alive: the caller holds the job's lease. */
function attemptsOf(
  disk: Disk,
  root: string,
  agent: string,
  claims: readonly SlotClaim[],
  isAlive = false,
): SlotAttempt[] {
  return claims.map((claim, index) => {
    const record = claim.run === '' ? undefined : findRun(disk, root, agent, claim.run)
    const claimedAt = fromIso(claim.claimedAt) ?? 0
    return {
      run: claim.run,
      claimedAt,
      hadEffects: claim.hadEffects,
      isAlive: isAlive && index === claims.length - 1,
      end: record && {
        state: record.state,
        failure: record.failure,
        at: (fromIso(record.startedAt) ?? claimedAt) + record.durationMs,
      },
    }
  })
}

/** The same for one who only looks. */
export function peekAttempts(disk: Disk, root: string, name: SlotName, isAlive: boolean): SlotAttempt[] {
  return attemptsOf(disk, root, name.agent, peekClaims(disk, root, name), isAlive)
}

/** Has the time ended in which the slot may wait for what it needs? It then runs without. */
export function isWindowOver({ catchup }: Pick<Job, 'catchup'>, slot: Millis, now: Millis): boolean {
  return now >= windowEnd({ catchup }, slot)
}

/** A little before the catch-up window closes, so that a tick still finds it open. */
export function windowEnd({ catchup }: Pick<Job, 'catchup'>, slot: Millis): Millis {
  return slot + catchup.within - Math.min(5 * minuteMs, catchup.within / 4)
}

/** A slot that another run made impossible is claimed, so that nobody runs it later. */
export function finishSlot(run: RunContext, refusal: Refusal): Refusal {
  const { world, root, agent, job, slot } = run
  if (!refusal.settlesSlot || !job || slot === undefined) return refusal
  const name = { agent, job: job.name, slot }
  if (peekClaims(world.disk, root, name).length > 0 || !claimSlot(world, root, name, 1, run.run))
    return { ...refusal, isRecorded: run.request.slot !== 'due' }
  return refusal
}

/** The slot's own record says it; a wake-up that comes too often adds none. */
function settledAlready(run: RunContext, reason: string): Refusal {
  return skipped(reason, { isRecorded: run.request.slot !== 'due' })
}

/** The ledger knows what ran, also where `.claw` was deleted, a claim cannot be read, or the workspace was cloned. */
export function ranBefore(disk: Disk, root: string, { agent, job, slot }: SlotName): RunRecord | undefined {
  const at = toIso(slot)
  return peekRunsWith(disk, root, agent, at).findLast(
    record =>
      record.job === job && record.slot === at && record.state !== 'skipped' && record.state !== 'crashed',
  )
}
