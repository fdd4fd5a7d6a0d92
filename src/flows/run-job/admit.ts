import { fromIso, minuteMs, toIso } from '../../core/millis.ts'
import type { DeliveryState } from '../../core/outbox.ts'
import { type RunRecord, runRecord } from '../../core/run.ts'
import { peekDelivery } from '../../records/outbox.ts'
import { leaseFile } from '../../records/paths.ts'
import { findRun, peekRuns, recordRun } from '../../records/runs.ts'
import { claimSlot, maxSlotTries, peekClaims } from '../../records/slots.ts'
import { spentOn } from '../../records/spend.ts'
import { type Lease, takeLease } from '../../store/lease.ts'
import { resolveChain } from '../resolve-models.ts'
import { checkNeeds } from './check-needs.ts'
import { endLeases } from './leases.ts'
import type { RunContext } from './open-run.ts'
import {
  deadBefore,
  decodeRunOwner,
  originAfter,
  ownerOfClaim,
  type RunOwner,
  runOwner,
} from './run-owner.ts'

export type Admission = Admitted | Refusal

export interface Admitted {
  kind: 'admitted'
  leases: Lease[]
  /** The run whose delivery keys this one goes on with: its own, or that of a crashed run by hand. */
  origin: string
  degraded: string[]
}

export interface Refusal {
  kind: 'refused'
  state: 'skipped' | 'failed'
  reason: string
}

const skipped = (reason: string): Refusal => ({ kind: 'refused', state: 'skipped', reason })

/** A person who says something twice in a row waits for the first answer this long. */
const turnWaitMs = 60_000

/** How often a queued run looks whether it may start. */
const queueRetryMs = 500

/** May this run start? The job's lease, what it needs, money, then its slot; each refusal has its reason. */
export async function admit(run: RunContext): Promise<Admission> {
  const leases: Lease[] = []
  try {
    const refused = await refusalOf(run, leases)
    if (!refused) return admitted(run, leases)
    endLeases(leases)
    return refused
  } catch (error) {
    endLeases(leases, error)
    throw error
  }
}

/** Takes the leases, each holder's story first, then asks whether this run may start. */
async function refusalOf(run: RunContext, leases: Lease[]): Promise<Refusal | undefined> {
  for (const name of leaseNames(run)) {
    const taken = await takeOrWait(run, name)
    if (taken.kind === 'refused') return taken
    leases.push(taken)
    for (const dead of deadBefore(taken)) await recordCrash(run, dead)
  }
  return checkNeeds(run).refusal ?? modelRefusal(run) ?? spendRefusal(run) ?? (await claim(run))
}

function admitted(run: RunContext, leases: Lease[]): Admitted {
  const origin = originAfter(unfinishedBefore(run, leases[0]), run)
  return { kind: 'admitted', leases, origin, degraded: checkNeeds(run).degraded }
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

/** One lease for the job, and one for a session that other runs share. */
function leaseNames({ agent, job }: RunContext): string[] {
  if (!job) return [`${agent}.session-main`]
  const own = `${agent}.${job.name}`
  return job.session === 'isolated' ? [own] : [own, `${agent}.session-${job.session.replace(':', '-')}`]
}

async function takeOrWait(run: RunContext, name: string): Promise<Lease | Refusal> {
  const { world, root, job, config } = run
  const sharedLocks = config.volume === 'shared' ? await run.ports.sharedLocks() : undefined
  const waitMs = job ? (job.overlap === 'queue' ? job.timeout : 0) : turnWaitMs
  const giveUpAt = world.clock.elapsed() + waitMs
  for (;;) {
    const taken = await takeLease(world, leaseFile(root, name), {
      owner: previous => runOwner(run, previous),
      volume: config.volume,
      ...(sharedLocks && { sharedLocks }),
    })
    if (taken.kind === 'held') return taken
    if (world.clock.elapsed() >= giveUpAt) {
      const { owner } = taken
      return skipped(
        `still running${owner ? ` (run ${owner.run}, pid ${owner.pid}, since ${owner.since})` : ''}`,
      )
    }
    await world.clock.sleep(queueRetryMs)
  }
}

/** A holder that left no record died: it ends as `crashed`, never silently. Repeating this is harmless. */
async function recordCrash(run: RunContext, dead: RunOwner): Promise<void> {
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
  await recordRun(
    world,
    root,
    runRecord(head, { state: 'crashed', reason: 'its process ended before it could record anything' }),
  )
}

/** Undefined when the slot is ours (or none is meant), else why not. */
async function claim(run: RunContext): Promise<Refusal | undefined> {
  const { world, root, agent, job, slot } = run
  if (!job || slot === undefined) return undefined
  if (!job.enabled) return skipped(`${job.file} says enabled: false; a run by hand is not held up by that`)
  const name = { agent, job: job.name, slot }
  const claims = peekClaims(world.disk, root, name)
  const last = claims.at(-1)
  if (last) {
    const ended = findRun(world.disk, root, agent, last.run)
    if (ended && ended.state !== 'crashed')
      return skipped(`slot ${toIso(slot)} ran already (run ${last.run}: ${ended.state})`)
    await recordCrash(run, ownerOfClaim(last, name))
  }
  const earlier = ranBefore(run, toIso(slot))
  if (earlier) return skipped(`slot ${toIso(slot)} ran already (run ${earlier.run}: ${earlier.state})`)
  if (claims.length >= maxSlotTries)
    return skipped(`slot ${toIso(slot)} was given up after ${claims.length} runs that crashed`)
  if (claimSlot(world, root, name, claims.length + 1, run.run)) return undefined
  return skipped(`slot ${toIso(slot)} was claimed by another process`)
}

/** How many of the latest runs are asked for a slot that has no claim. */
const ledgerDepth = 50

/** The ledger knows what ran, also where `.claw` was deleted, a claim cannot be read, or the workspace was cloned. */
function ranBefore({ world, root, agent, job }: RunContext, slot: string): RunRecord | undefined {
  return peekRuns(world.disk, root, agent, ledgerDepth).find(
    record =>
      record.job === job?.name &&
      record.slot === slot &&
      record.state !== 'skipped' &&
      record.state !== 'crashed',
  )
}

/** A job that gathers nothing needs a model; where none is configured it says so and does not pretend. */
function modelRefusal({ config, env, job, request }: RunContext): Refusal | undefined {
  if (!job || job.gather.length > 0) return undefined
  const { links, unusable } = resolveChain(config, env, { tier: job.tier, override: request.model })
  if (unusable.length > 0 || links.some(link => link.api !== 'offline')) return undefined
  return skipped(
    `no model is configured for tier ${job.tier}, and this job gathers nothing that could be quoted`,
  )
}

function spendRefusal({ world, root, config, local }: RunContext): Refusal | undefined {
  const { day } = config.limits.spend
  if (day === undefined) return undefined
  const spent = spentOn(world.disk, root, local.date)
  return spent >= day
    ? skipped(`spend cap: ${spent.toFixed(2)} of ${day.toFixed(2)} USD used on ${local.date}`)
    : undefined
}
