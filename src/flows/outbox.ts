import { ClawError } from '../core/claw-error.ts'
import { toIso } from '../core/millis.ts'
import { maxAttempts } from '../core/outbox-step.ts'
import { applyToDelivery, type Delivery } from '../core/outbox.ts'
import { loadConfig } from '../records/config.ts'
import { loadEnv } from '../records/env.ts'
import {
  fileAway,
  loadDelivery,
  peekOpenDeliveries,
  peekSettledDeliveries,
  recordOutbox,
  withOutbox,
} from '../records/outbox.ts'
import type { World } from '../world/world.ts'
import { deliverOne } from './deliver.ts'
import { maskOf } from './mask-of.ts'
import type { RunPorts } from './ports.ts'

export interface DeliveryLine {
  id: string
  channel: string
  state: Delivery['state']
  pieces: number
  /** Pieces that arrived. */
  sent: number
  attempts: number
  /** ISO instant of the last change. */
  at: string
  why: string
  job: string | null
  run: string
}

/** What is open, oldest first; with `all`, what is settled after it. Reads only. */
export function listOutbox(
  { disk }: Pick<World, 'disk'>,
  root: string,
  { all }: { all: boolean },
): DeliveryLine[] {
  const settled = all ? peekSettledDeliveries(disk, root) : []
  return [...peekOpenDeliveries(disk, root), ...settled].map(lineOf)
}

/**
 * Sends what is queued or failed. A delivery that is `unknown` is sent again only
 * when a person names it: it may have arrived.
 */
export async function retryOutbox(
  world: World,
  root: string,
  { ports, id }: { ports: RunPorts; id: string | undefined },
): Promise<DeliveryLine[]> {
  const config = await loadConfig(world, root)
  const env = loadEnv(world, root)
  const mask = maskOf(config, env)
  const chosen =
    id === undefined
      ? peekOpenDeliveries(world.disk, root).filter(({ state }) => state !== 'unknown')
      : [loadDelivery(world.disk, root, id)]
  const lines: DeliveryLine[] = []
  for (const delivery of chosen) {
    const setup = { world, root, ports, config, env, mask }
    if (delivery.state === 'failed' || (delivery.state === 'unknown' && id !== undefined))
      await requestRetry(world, root, delivery.id)
    let sent = await deliverOne(setup, delivery.id)
    if (sent.state === 'failed' && isUsedUp(delivery)) {
      await requestRetry(world, root, delivery.id)
      sent = await deliverOne(setup, delivery.id)
    }
    lines.push(lineOf(sent))
  }
  return lines
}

/** Its last attempt was cut off by a crash: before a person's retry counts, that has to be recorded as the end it was. */
function isUsedUp({ state, pieces }: Delivery): boolean {
  const isOpen = state === 'queued' || state === 'sending'
  return (
    isOpen &&
    pieces.some(piece => piece.state !== 'delivered' && piece.attempts - piece.forgiven >= maxAttempts)
  )
}

async function requestRetry(world: World, root: string, id: string): Promise<void> {
  await withOutbox(world, root, held =>
    recordOutbox(world.disk, held, root, { type: 'retry-requested', id, at: toIso(world.clock.now()) }),
  )
}

/** Gives a delivery up; its text stays in the record. Throws `conflict` for one that has arrived. */
export function dropDelivery(world: World, root: string, id: string): Promise<DeliveryLine> {
  return withOutbox(world, root, held => {
    const delivery = loadDelivery(world.disk, root, id)
    if (delivery.state === 'delivered')
      throw new ClawError('conflict', `${id} was delivered, so there is nothing to drop`)
    const event = { type: 'dropped' as const, id, at: toIso(world.clock.now()), why: 'dropped by a person' }
    if (delivery.state !== 'dropped') recordOutbox(world.disk, held, root, event)
    const dropped = applyToDelivery(delivery, event)
    fileAway(world.disk, held, root, dropped)
    return lineOf(dropped)
  })
}

export function lineOf({
  id,
  channel,
  state,
  pieces,
  changedAt,
  why,
  job,
  run,
  agent,
}: Delivery): DeliveryLine {
  return {
    id,
    channel,
    state,
    pieces: pieces.length,
    sent: pieces.filter(piece => piece.state === 'delivered').length,
    attempts: pieces.reduce((sum, piece) => sum + piece.attempts, 0),
    at: toIso(changedAt),
    why,
    job: job === null ? null : `${agent}/${job}`,
    run,
  }
}
