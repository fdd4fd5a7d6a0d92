import { secondMs } from '../../../core/millis.ts'
import { runRecord } from '../../../core/run.ts'
import { findRun } from '../../../records/runs.ts'
import type { Lease, LeaseBusy } from '../../../store/lease.ts'
import { takeNamedLease } from '../../named-lease.ts'
import { recordOutcome } from '../../record-outcome.ts'
import type { RunContext } from '../open-run.ts'
import { deadBefore, decodeRunOwner, type RunOwner, runOwner } from '../run-owner.ts'
import { type Refusal, skipped } from './refusal.ts'

/** A person who says something twice in a row waits for the first answer this long. */
const turnWaitMs = 60_000

/** How often a queued run looks whether it may start. */
const queueRetryMs = 500

/** A holder that is named again after so long is the holder, not one whose name was left behind. */
const lookTwiceMs = secondMs

/** Takes what this run needs for itself, and tells the story of each holder that died; undefined when all is held. */
export async function takeLeases(run: RunContext, leases: Lease[]): Promise<Refusal | undefined> {
  for (const name of leaseNames(run)) {
    const taken = await takeOrWait(run, name)
    if (taken.kind === 'refused') return taken
    leases.push(taken)
    for (const dead of deadBefore(taken)) await recordCrash(run, dead)
  }
  return undefined
}

/** One lease for the job, and one for a session that other runs share. */
function leaseNames({ agent, job }: RunContext): string[] {
  if (!job) return [`${agent}.session-main`]
  const own = `${agent}.${job.name}`
  return job.session === 'isolated' ? [own] : [own, `${agent}.session-${job.session.replace(':', '-')}`]
}

async function takeOrWait(run: RunContext, name: string): Promise<Lease | Refusal> {
  const { clock } = run.world
  const giveUpAt = clock.elapsed() + waitMsOf(run)
  let first: LeaseBusy | undefined
  for (;;) {
    const taken = await takeNamedLease(run, name, previous => runOwner(run, previous))
    if (taken.kind === 'held') return taken
    if (clock.elapsed() >= giveUpAt && first) return stillRunning(run, first, taken)
    first ??= taken
    await clock.sleep(clock.elapsed() >= giveUpAt ? lookTwiceMs : queueRetryMs)
  }
}

function waitMsOf({ job }: RunContext): number {
  if (!job) return turnWaitMs
  return job.overlap === 'queue' ? job.timeout : 0
}

/**
 * The slot is settled by this when another slot (or a person) keeps the job busy. A
 * holder that runs this very slot, or that cannot be told, leaves it open.
 */
function stillRunning(run: RunContext, first: LeaseBusy, { owner }: LeaseBusy): Refusal {
  const holder = decodeRunOwner(owner)
  const isSure = holder !== undefined && first.owner?.run === holder.run
  const isOverlap = isSure && holder.slot !== runOwner(run, undefined).slot
  return skipped(
    `still running${owner ? ` (run ${owner.run}, pid ${owner.pid}, since ${owner.since})` : ''}`,
    { settlesSlot: isOverlap },
  )
}

/** A holder that left no record died: it ends as `crashed`, never silently. Repeating this is harmless. */
export async function recordCrash(
  run: Pick<RunContext, 'world' | 'root' | 'agent' | 'config' | 'warn'>,
  dead: RunOwner,
): Promise<void> {
  const { world, root, agent } = run
  if (dead.run === '' || findRun(world.disk, root, agent, dead.run)) return
  run.warn(
    `run ${dead.run} (pid ${dead.pid}, since ${dead.since}) ended without a record; recorded as crashed`,
  )
  const head = {
    run: dead.run,
    origin: dead.origin,
    agent,
    job: dead.job,
    slot: dead.slot,
    startedAt: dead.since,
    durationMs: 0,
  }
  const reason = 'its process ended before it could record anything'
  await recordOutcome(run, runRecord(head, { state: 'crashed', failure: 'crashed', reason }))
}
