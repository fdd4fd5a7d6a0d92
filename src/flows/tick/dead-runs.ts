import { fromIso } from '../../core/millis.ts'
import { agentNames } from '../../records/agents.ts'
import { leaseFile } from '../../records/paths.ts'
import { findRun } from '../../records/runs.ts'
import { readOwner, removeOwner } from '../../store/lease-owner.ts'
import { recordCrash } from '../run-job/admit/take-leases.ts'
import { decodeRunOwner, deadBefore, repetitionMs, type RunOwner } from '../run-job/run-owner.ts'
import type { TickContext } from './context.ts'
import { isHeld, whileFree } from './free-lease.ts'
import { namedLeases } from './signs.ts'

/**
 * Runs by hand and turns that died become records without waiting for the next
 * one. Their owner stays named as long as a repetition goes on with their delivery
 * key; returned are the leases for which that is so.
 */
export async function tellDeadRuns(context: TickContext): Promise<string[]> {
  const kept: string[] = []
  for (const lease of namedLeases(context.world.disk, context.root)) {
    if (context.dryRun) await tellOnly(context, lease)
    else if (await whileFree(context, lease, () => bury(context, lease))) kept.push(lease)
  }
  return kept
}

/** True when the owner stays named. */
async function bury(context: TickContext, lease: string): Promise<boolean> {
  const { world, root } = context
  const path = leaseFile(root, lease)
  const agent = agentOf(context, lease)
  const owner = decodeRunOwner(readOwner(world.disk, path))
  if (agent !== undefined) {
    for (const dead of untold(context, agent, owner)) {
      tellCrash(context, agent, dead)
      await recordCrash({ ...context, agent }, dead)
    }
    if (owner && isRepeatable(context, owner)) return true
  }
  removeOwner(world.disk, path)
  return false
}

async function tellOnly(context: TickContext, lease: string): Promise<void> {
  const agent = agentOf(context, lease)
  if (agent === undefined || (await isHeld(context, lease))) return
  const owner = decodeRunOwner(readOwner(context.world.disk, leaseFile(context.root, lease)))
  for (const dead of untold(context, agent, owner)) tellCrash(context, agent, dead)
}

/** Leases of jobs and sessions begin with their agent; those of channels and seats are nobody's story. */
function agentOf({ world, root }: TickContext, lease: string): string | undefined {
  const [agent = '', ...rest] = lease.split('.')
  return rest.length > 0 && agentNames(world.disk, root).includes(agent) ? agent : undefined
}

function untold({ world, root }: TickContext, agent: string, owner: RunOwner | undefined): RunOwner[] {
  return deadBefore({ previous: owner }).filter(
    ({ run }) => run !== '' && !findRun(world.disk, root, agent, run),
  )
}

function isRepeatable({ world }: TickContext, { slot, since }: RunOwner): boolean {
  const ageMs = world.clock.now() - (fromIso(since) ?? 0)
  return slot === null && ageMs >= 0 && ageMs < repetitionMs
}

/** Puts a dead run into the report, once. */
export function tellCrash({ report }: TickContext, agent: string, { run, job, slot, since }: RunOwner): void {
  if (report.crashed.some(told => told.run === run)) return
  report.crashed.push({ run, job: job === null ? `${agent} -m` : `${agent}/${job}`, slot, since })
}
