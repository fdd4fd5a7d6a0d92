import { exitCodes } from '../../core/claw-error.ts'
import { dropDelivery, type DeliveryLine, listOutbox, retryOutbox } from '../../flows/outbox.ts'
import type { Action } from '../command.ts'
import type { Out } from '../out.ts'
import { warnOfSilence } from '../warn-of-silence.ts'

export const outboxList: Action = async ({ world, root, out }, _args, options) => {
  await warnOfSilence({ world, root, out })
  const lines = listOutbox(world, root(), { all: options['all'] === true })
  out.result(lines, lines.length === 0 ? 'nothing is waiting, failed or unknown' : table(out, lines))
}

export const outboxRetry: Action = async ({ world, root, out, ports }, [id]) => {
  const lines = await retryOutbox(world, root(), { ports, id })
  out.result(lines, lines.length === 0 ? 'nothing to send' : table(out, lines))
  const left = lines.filter(line => line.state !== 'delivered')
  if (left.length === 0) return exitCodes.ok
  out.error(
    `${left.length} of ${lines.length} not delivered: ${left.map(({ id, state }) => `${id} ${state}`).join(', ')}`,
  )
  return exitCodes.failed
}

export const outboxDrop: Action = async ({ world, root, out }, [id]) => {
  const line = await dropDelivery(world, root(), id!)
  out.result([line], `${line.id}: ${line.state}`)
}

function table(out: Out, lines: readonly DeliveryLine[]): string {
  const rows = lines.map(line => [
    line.id,
    line.channel,
    line.state,
    `${line.sent}/${line.pieces}`,
    line.job ?? '-',
    line.at.slice(0, 16),
    line.why,
  ])
  return out.table(rows, ['id', 'channel', 'state', 'sent', 'job', 'since', 'why'])
}
