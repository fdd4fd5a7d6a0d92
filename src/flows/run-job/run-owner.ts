import { jobKey } from '../../core/job.ts'
import { fromIso, hourMs, toIso } from '../../core/millis.ts'
import type { SlotClaim, SlotName } from '../../records/slots.ts'
import type { Lease, LeaseOwner } from '../../store/lease.ts'
import { isOwner } from '../../store/lease-owner.ts'
import type { RunContext } from './open-run.ts'

/** What a run writes into its lease: enough for the next one to tell its story, should it die. */
export interface RunOwner extends LeaseOwner {
  /** The run whose delivery keys it uses. */
  origin: string
  /** Null for a turn on `-m`. */
  job: string | null
  /** ISO; null for a run by hand. */
  slot: string | null
  /** Those before it that had left no record when it began. */
  unfinished: RunOwner[]
}

/** How many dead runs are carried on; each is recorded by the first run that lives. */
const mostUnfinished = 5

/** What the lease file says of us; it names those before us, so that none is forgotten when we die too. */
export function runOwner(run: RunContext, before: LeaseOwner | undefined): RunOwner {
  const { world, job, agent, slot } = run
  const previous = decodeRunOwner(before)
  return {
    run: run.run,
    origin: originAfter(previous, run),
    job: job?.name ?? null,
    slot: slot === undefined ? null : toIso(slot),
    host: world.host.hostname,
    pid: world.host.pid,
    processStart: world.host.processStart,
    since: toIso(run.startedAt),
    what: job ? jobKey(job) : `${agent} -m`,
    unfinished: previous
      ? [...previous.unfinished, { ...previous, unfinished: [] }].slice(-mostUnfinished)
      : [],
  }
}

/** For so long a run by hand is taken for the repetition of one that died; later it has a text of its own. */
export const repetitionMs = 12 * hourMs

/** A run by hand goes on with the delivery keys of the one that died before it, so that nothing is sent twice. */
export function originAfter(
  previous: RunOwner | undefined,
  { run, job, slot, startedAt }: Pick<RunContext, 'run' | 'job' | 'slot' | 'startedAt'>,
): string {
  if (!previous || previous.slot !== null || slot !== undefined) return run
  const since = fromIso(previous.since) ?? 0
  const isRepetition = previous.job === (job?.name ?? null) && startedAt - since < repetitionMs
  return isRepetition ? previous.origin : run
}

/** Who held this lease and did not release it, oldest first: those before the last holder too. */
export function deadBefore({ previous }: Pick<Lease, 'previous'>): RunOwner[] {
  const last = decodeRunOwner(previous)
  return last ? [...last.unfinished, last] : []
}

/** An owner as a run wrote it; what is missing (an older version, a hand edit) is filled in. */
export function decodeRunOwner(owner: LeaseOwner | undefined): RunOwner | undefined {
  if (!owner) return undefined
  const { origin, job, slot, unfinished } = owner as Partial<RunOwner>
  return {
    ...owner,
    origin: typeof origin === 'string' ? origin : owner.run,
    job: typeof job === 'string' ? job : null,
    slot: typeof slot === 'string' ? slot : null,
    unfinished: Array.isArray(unfinished)
      ? unfinished
          .filter(isOwner)
          .flatMap(one => decodeRunOwner({ ...one, unfinished: [] } as LeaseOwner) ?? [])
      : [],
  }
}

/** The claimer of a slot, in the same words. */
export function ownerOfClaim({ run, claimedAt, host, pid }: SlotClaim, { job, slot }: SlotName): RunOwner {
  return {
    run,
    origin: run,
    job,
    slot: toIso(slot),
    host,
    pid,
    processStart: '',
    since: claimedAt,
    what: 'slot',
    unfinished: [],
  }
}
