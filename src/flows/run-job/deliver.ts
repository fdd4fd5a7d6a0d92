import { isClawError } from '../../core/claw-error.ts'
import type { Delivery } from '../../core/outbox.ts'
import { peekOpenDeliveries } from '../../records/outbox.ts'
import { deliverOne } from '../deliver.ts'
import type { RunContext } from './open-run.ts'
import type { RunReport } from './settle.ts'

/**
 * Sends what earlier runs of this job left unsent, then what this run put into the
 * outbox; whether it arrived is a fact of its own and does not change the run's.
 */
export async function deliver(run: RunContext, report: RunReport): Promise<RunReport> {
  const own = report.delivery.map(({ id }) => id)
  for (const { id } of leftUnsent(run)) if (!own.includes(id)) await sendLeft(run, id)
  const delivery: RunReport['delivery'] = []
  for (const id of own) {
    const sent = await deliverOne(run, id)
    delivery.push({ id, channel: sent.channel, state: sent.state })
    if (sent.run !== run.run)
      run.warn(`delivery ${id} has the text of run ${sent.run}, which this run repeats`)
    if (sent.state !== 'delivered') warnOf(run, sent)
  }
  return { ...report, delivery }
}

/** Queued, or in the middle of a send when its process died. What failed or is unknown is for a person. */
function leftUnsent({ world, root, agent, job }: RunContext): Delivery[] {
  if (!job) return []
  return peekOpenDeliveries(world.disk, root).filter(
    ({ state, ...of }) =>
      of.agent === agent && of.job === job.name && (state === 'queued' || state === 'sending'),
  )
}

/** A channel that is gone from the configuration must not fail the run that comes after. */
async function sendLeft(run: RunContext, id: string): Promise<void> {
  try {
    const sent = await deliverOne(run, id)
    if (sent.state === 'delivered')
      run.note(`delivery ${id} of run ${sent.run} to ${sent.channel}: delivered`)
    else warnOf(run, sent)
  } catch (error) {
    if (!isClawError(error, 'config-invalid')) throw error
    run.warn(`delivery ${id} of an earlier run: ${error.message}`)
  }
}

function warnOf(run: RunContext, { id, channel, state, why }: Delivery): void {
  run.warn(`delivery ${id} to ${channel}: ${state}${why ? ` (${why})` : ''}`)
}
