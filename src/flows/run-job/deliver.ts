import { deliverOne } from '../deliver.ts'
import type { RunContext } from './open-run.ts'
import type { RunReport } from './settle.ts'

/** Sends what the run put into the outbox; whether it arrived is a fact of its own and does not change the run's. */
export async function deliver(run: RunContext, report: RunReport): Promise<RunReport> {
  const delivery: RunReport['delivery'] = []
  for (const { id } of report.delivery) {
    const sent = await deliverOne(run, id)
    delivery.push({ id, channel: sent.channel, state: sent.state })
    if (sent.state !== 'delivered')
      run.warn(`delivery ${id} to ${sent.channel}: ${sent.state}${sent.why ? ` (${sent.why})` : ''}`)
  }
  return { ...report, delivery }
}
