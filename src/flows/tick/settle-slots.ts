import type { Job } from '../../core/job.ts'
import { jobKey } from '../../core/job.ts'
import { type Millis, toIso } from '../../core/millis.ts'
import { missedMark, runId, runRecord } from '../../core/run.ts'
import { findRun } from '../../records/runs.ts'
import { peekWatches } from '../../records/schedule.ts'
import { claimSlot, peekClaims } from '../../records/slots.ts'
import { recordOutcome } from '../record-outcome.ts'
import { recordCrash } from '../run-job/admit/take-leases.ts'
import { ownerOfClaim, type RunOwner } from '../run-job/run-owner.ts'
import type { TickContext } from './context.ts'
import { tellCrash } from './dead-runs.ts'
import type { DueJob } from './due-jobs.ts'
import { whileFree } from './free-lease.ts'
import { mostOlder, type OpenSlot } from './open-slots.ts'
import { advanceWatches } from './watches.ts'

interface Missed {
  slot: Millis
  reason: string
}

/** Slots that will not run, and claims of processes that died, become records: nothing ends in silence. */
export async function settleSlots(context: TickContext, job: Job, open: readonly OpenSlot[]): Promise<void> {
  const { report, dryRun } = context
  const key = jobKey(job)
  const missed = open.flatMap(({ slot, decision }) =>
    decision.kind === 'missed' ? [{ slot, reason: decision.reason }] : [],
  )
  const dead = deadOf(context, job, open)
  if (missed.length === 0 && dead.length === 0) return
  if (dryRun) {
    report.missed.push(...missed.map(({ slot, reason }) => ({ job: key, slot: toIso(slot), reason })))
    for (const owner of dead) tellCrash(context, job.agent, owner)
    return
  }
  // A run claims under this lease, so that whoever holds it knows every other claimer to be dead.
  await whileFree(context, leaseOf(job), async () => {
    for (const owner of deadOf(context, job, open)) {
      tellCrash(context, job.agent, owner)
      await recordCrash({ ...context, agent: job.agent }, owner)
    }
    for (const one of missed) await recordMissed(context, job, one)
  })
}

/** More slots than are looked at one by one: one record for all. False when it has to wait for a run. */
export async function recordOlder(
  context: TickContext,
  { job, change, after }: DueJob,
  older: readonly Millis[],
): Promise<boolean> {
  const { world, root, report, dryRun } = context
  const key = jobKey(job)
  const newest = older.at(-1)!
  const reason = missedTogether(older, after)
  if (dryRun) report.missed.push({ job: key, slot: toIso(newest), reason })
  if (dryRun) return true
  const isDone = await whileFree(context, leaseOf(job), async () => {
    const known = peekWatches(world.disk, root)[key]
    if (known && known.through >= newest) return true
    await recordMissed(context, job, { slot: newest, reason })
    await advanceWatches(world, root, new Map([[key, { change, through: newest }]]))
    return true
  })
  return isDone === true
}

function missedTogether(older: readonly Millis[], after: Millis): string {
  const newest = toIso(older.at(-1)!)
  if (older.length === 1) return `${missedMark} slot ${newest} was not run in time, and its window is over`
  const [count, from] =
    older.length < mostOlder ? [older.length, older[0]!] : [`more than ${mostOlder}`, after]
  return `${missedMark} ${count} slots from ${toIso(from)} to ${newest} were not run in time`
}

function leaseOf({ agent, name }: Job): string {
  return `${agent}.${name}`
}

/** Claimers that left no record and do not live. */
function deadOf({ world, root }: TickContext, { agent, name }: Job, open: readonly OpenSlot[]): RunOwner[] {
  return open.flatMap(({ slot, attempts }) => {
    if (attempts.every(attempt => attempt.end || attempt.isAlive)) return []
    const slotName = { agent, job: name, slot }
    const alive = attempts.find(attempt => attempt.isAlive)?.run
    return peekClaims(world.disk, root, slotName)
      .filter(({ run }) => run !== '' && run !== alive && !findRun(world.disk, root, agent, run))
      .map(claim => ownerOfClaim(claim, slotName))
  })
}

/** Nothing where another process has the slot, or its record, already. */
async function recordMissed(context: TickContext, job: Job, { slot, reason }: Missed): Promise<void> {
  const { world, root, report } = context
  const { agent, name } = job
  const startedAt = toIso(world.clock.now())
  const run = runId(startedAt, world.random.hex(6))
  if (!claimSlot(world, root, { agent, job: name, slot }, 1, run)) return
  const head = { run, origin: run, agent, job: name, slot: toIso(slot), startedAt, durationMs: 0 }
  await recordOutcome(context, runRecord(head, { state: 'skipped', reason }))
  report.missed.push({ job: jobKey(job), slot: toIso(slot), reason })
}
