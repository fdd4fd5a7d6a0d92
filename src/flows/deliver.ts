import { ClawError } from '../core/claw-error.ts'
import { nearestHint } from '../core/nearest.ts'
import { toIso } from '../core/millis.ts'
import { applyToDelivery, type Delivery } from '../core/outbox.ts'
import type { OutboxEvent } from '../core/outbox-event.ts'
import { type NextStep, nextStep, outcomeEvent } from '../core/outbox-step.ts'
import type { Channel } from '../adapters/channels/channel.ts'
import type { Config } from '../core/config.ts'
import { fillSecrets, type Env } from '../records/env.ts'
import { fileAway, hasDamage, loadDelivery, peekOutbox, recordOutbox, withOutbox } from '../records/outbox.ts'
import type { Lease } from '../store/lease.ts'
import type { World } from '../world/world.ts'
import { takeNamedLease } from './named-lease.ts'
import type { ChannelRequest, RunPorts } from './ports.ts'

export interface DeliverSetup {
  world: World
  root: string
  ports: RunPorts
  config: Config
  env: Env
  /** Takes secrets out of what a channel says. */
  mask: (text: string) => string
}

/** How long a run waits for a channel that asks for patience; a longer wait is left to the next run. */
const patienceMs = 15_000
const leaseRetryMs = 100

/**
 * Sends what is left of one delivery: intent, send, outcome, for each piece. The
 * lease of its channel keeps two processes from sending the same one; a crash
 * between intent and outcome ends as `unknown` where repeating could double it.
 */
export async function deliverOne(setup: DeliverSetup, id: string): Promise<Delivery> {
  const { world, root } = setup
  const delivery = loadDelivery(world.disk, root, id)
  const lease = await channelLease(setup, delivery)
  if (!lease) return delivery
  try {
    return await sendAll(setup, loadDelivery(world.disk, root, id))
  } finally {
    lease.release()
  }
}

/** Undefined when another process is sending on this channel for longer than a run has patience; the next one sends the rest. */
async function channelLease(setup: DeliverSetup, { id, channel }: Delivery): Promise<Lease | undefined> {
  const { host, clock } = setup.world
  const owner = {
    run: id,
    host: host.hostname,
    pid: host.pid,
    processStart: host.processStart,
    since: toIso(clock.now()),
    what: `delivery ${id} to ${channel}`,
  }
  const giveUpAt = clock.elapsed() + patienceMs
  for (;;) {
    const lease = await takeNamedLease(setup, `channel-${channel}`, owner)
    if (lease.kind === 'held') return lease
    if (clock.elapsed() >= giveUpAt) return undefined
    await clock.sleep(leaseRetryMs)
  }
}

async function sendAll(setup: DeliverSetup, first: Delivery): Promise<Delivery> {
  const { world, root } = setup
  const channel = await openNamedChannel(setup, first.channel)
  const startedAt = world.clock.elapsed()
  let delivery = await withoutDoubt(setup, first, channel)
  for (;;) {
    const health = peekOutbox(world.disk, root).health.get(delivery.channel)
    const step = nextStep(delivery, { kind: channel.kind, now: world.clock.now(), ...(health && { health }) })
    if (step.kind === 'done') break
    if (step.kind === 'wait') {
      const waitMs = step.until - world.clock.now()
      if (world.clock.elapsed() - startedAt + waitMs > patienceMs) break
      await world.clock.sleep(waitMs)
      continue
    }
    delivery = await take(setup, { delivery, channel, step })
  }
  await withOutbox(world, root, held => fileAway(world.disk, held, root, delivery))
  return delivery
}

/**
 * Where a line of its log cannot be read, what looks unsent may have been sent: on
 * a blind channel that is then `unknown`, until a person has named it.
 */
async function withoutDoubt(setup: DeliverSetup, delivery: Delivery, { kind }: Channel): Promise<Delivery> {
  const { world, root } = setup
  const { id, retriedAt } = delivery
  if (kind !== 'blind' || retriedAt > 0 || !hasDamage(world.disk, root, id)) return delivery
  const why = 'its record is damaged: it may or may not have arrived'
  return withOutbox(world, root, held => {
    let after = delivery
    for (const [piece, { state, attempts }] of delivery.pieces.entries()) {
      if (state !== 'waiting') continue
      const at = { id, at: toIso(world.clock.now()), piece, attempt: attempts + 1 }
      for (const event of [{ type: 'intent', ...at } as const, { type: 'unknown', ...at, why } as const]) {
        recordOutbox(world.disk, held, root, event)
        after = applyToDelivery(after, event)
      }
    }
    return after
  })
}

interface Step {
  delivery: Delivery
  channel: Channel
  step: Exclude<NextStep, { kind: 'wait' | 'done' }>
}

async function take(setup: DeliverSetup, { delivery, channel, step }: Step): Promise<Delivery> {
  const { world, root, mask } = setup
  const record = async (before: Delivery, event: OutboxEvent): Promise<Delivery> => {
    await withOutbox(world, root, held => recordOutbox(world.disk, held, root, event))
    return applyToDelivery(before, event)
  }
  if (step.kind === 'record') return record(delivery, step.event)
  const { piece, attempt, key, text, intent } = step
  const sending = await record(delivery, intent)
  const outcome = await channel.send(text, key)
  const said = outcome.kind === 'sent' ? outcome : { ...outcome, why: mask(outcome.why) }
  return record(
    sending,
    outcomeEvent(said, { delivery: sending, piece, attempt, kind: channel.kind, now: world.clock.now() }),
  )
}

/** Throws `config-invalid` for a channel that `claw.yaml` does not have, or whose secret is not set. */
export function openNamedChannel(setup: ChannelSetup, name: string): Promise<Channel> {
  return setup.ports.channel({ name, root: setup.root, ...channelNamed(setup, name) })
}

type ChannelSetup = Pick<DeliverSetup, 'root' | 'ports' | 'config' | 'env'>

/** The same without opening it. */
export function channelNamed(
  { config, env }: Pick<DeliverSetup, 'config' | 'env'>,
  name: string,
): Pick<ChannelRequest, 'config' | 'url'> {
  const found = config.channels[name]
  if (!found) {
    throw new ClawError('config-invalid', `claw.yaml: no channel ${name}`, {
      hint: nearestHint(name, Object.keys(config.channels), 'channels'),
    })
  }
  const url = found.url === undefined ? undefined : fillSecrets(found.url, env, `channels.${name}`)
  return { config: found, url }
}
