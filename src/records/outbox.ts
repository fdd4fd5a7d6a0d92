import { basename, join } from 'node:path'
import { ClawError } from '../core/claw-error.ts'
import { fromIso, type Millis, toIso } from '../core/millis.ts'
import { type ChannelHealth, type Delivery, foldOutbox, isSettled, openDeliveries } from '../core/outbox.ts'
import { decodeOutboxEvent, type OutboxEvent } from '../core/outbox-event.ts'
import { ensureDir } from '../store/atomic-file.ts'
import { type Held, type Sync, withLock } from '../store/lock.ts'
import { appendRecords, readLog } from '../store/log.ts'
import { orNotRecorded } from '../store/recorded.ts'
import type { Disk } from '../world/disk.ts'
import { sha256 } from '../world/hash.ts'
import type { World } from '../world/world.ts'
import { lockFile, outboxDir } from './paths.ts'

/** What is sent, and the key that makes it one delivery whoever enqueues it again. */
export type NewDelivery = Omit<Extract<OutboxEvent, { type: 'enqueued' }>, 'type' | 'id' | 'at'>

/** `202611-5f0c2a9d1e77b3c4`: the month of the run that it began with, and the key. */
export function deliveryId(key: string, origin: string): string {
  return `${origin.slice(0, 6)}-${sha256(key).slice(0, 16)}`
}

const openFile = (root: string, id: string): string => `${outboxDir(root)}/${id}.jsonl`
const doneDir = (root: string, id: string): string =>
  `${outboxDir(root)}/done/${id.slice(0, 4)}-${id.slice(4, 6)}`
const doneFile = (root: string, id: string): string => `${doneDir(root, id)}/${id}.jsonl`

/** One lock for the short writes of all deliveries; the send itself is guarded by a lease for each. */
export function withOutbox<T>(world: World, root: string, body: (held: Held) => Sync<T>): Promise<T> {
  return withLock<T>(world, lockFile(root, 'outbox'), body)
}

/** Puts a text into the outbox once: the same key again is the same delivery. Returns its id. */
export function enqueue(world: World, root: string, origin: string, delivery: NewDelivery): Promise<string> {
  const id = deliveryId(delivery.key, origin)
  return withOutbox(world, root, held => {
    if (!peekDelivery(world.disk, root, id)) {
      recordOutbox(world.disk, held, root, {
        type: 'enqueued',
        id,
        at: toIso(world.clock.now()),
        ...delivery,
      })
    }
    return id
  })
}

export function recordOutbox(disk: Disk, held: Held, root: string, event: OutboxEvent): void {
  const path = disk.stat(doneFile(root, event.id)) ? doneFile(root, event.id) : openFile(root, event.id)
  appendRecords(held, disk, path, [event], { kind: 'outbox' })
}

/** A settled delivery makes room: what is listed costs what is open. A crash before this is harmless. */
export function fileAway(disk: Disk, _held: Held, root: string, delivery: Delivery): void {
  const { id } = delivery
  if (!isSettled(delivery)) return
  const from = openFile(root, id)
  if (!disk.stat(from)) return
  ensureDir(disk, doneDir(root, id))
  orNotRecorded(from, () => {
    disk.rename(from, doneFile(root, id))
    disk.sync(doneDir(root, id))
    disk.sync(outboxDir(root))
  })
}

/** One delivery, open or settled; undefined when there is none with this id. */
export function peekDelivery(disk: Disk, root: string, id: string): Delivery | undefined {
  if (!/^\d{6}-[0-9a-f]{16}$/.test(id)) return undefined
  return foldFile(disk, openFile(root, id)) ?? foldFile(disk, doneFile(root, id))
}

/** Whether a line of its log cannot be read: it may have been an intent, or its outcome. */
export function hasDamage(disk: Disk, root: string, id: string): boolean {
  return [openFile(root, id), doneFile(root, id)].some(path => readLog(disk, path).bad.length > 0)
}

function foldFile(disk: Disk, path: string): Delivery | undefined {
  return [...foldOutbox(eventsOf(disk, path)).deliveries.values()][0]
}

function eventsOf(disk: Disk, path: string): OutboxEvent[] {
  return readLog(disk, path)
    .records.map(decodeOutboxEvent)
    .filter(event => event !== undefined)
}

export interface OutboxPeek {
  /** Oldest first; settled ones that wait to be filed away are left out. */
  deliveries: Delivery[]
  /** By channel, from what is open. */
  health: ReadonlyMap<string, ChannelHealth>
}

/** Everything that is not settled. */
export function peekOutbox(disk: Disk, root: string): OutboxPeek {
  const logs = openIds(disk, root).map(id => eventsOf(disk, openFile(root, id)))
  const timed = logs.flatMap(withRisingTimes).sort((a, b) => a.at - b.at)
  const state = foldOutbox(timed.map(({ event }) => event))
  return { deliveries: openDeliveries(state), health: state.channels }
}

/** The order of a log is what happened, also where the clock was set back in between. */
function withRisingTimes(events: readonly OutboxEvent[]): { event: OutboxEvent; at: Millis }[] {
  let latest = 0
  return events.map(event => {
    latest = Math.max(latest, fromIso(event.at) ?? 0)
    return { event, at: latest }
  })
}

export function peekOpenDeliveries(disk: Disk, root: string): Delivery[] {
  return peekOutbox(disk, root).deliveries
}

/** Settled ones: those that a crash kept from being filed away, then all months, newest month first. */
export function peekSettledDeliveries(disk: Disk, root: string): Delivery[] {
  const unfiled = openIds(disk, root)
    .filter(id => !disk.stat(doneFile(root, id)))
    .flatMap(id => foldFile(disk, openFile(root, id)) ?? [])
    .filter(isSettled)
  const months = (disk.list(join(outboxDir(root), 'done')) ?? []).map(({ name }) => name).reverse()
  const filed = months.flatMap(month =>
    (disk.list(join(outboxDir(root), 'done', month)) ?? []).flatMap(({ name }) => {
      const delivery = name.endsWith('.jsonl')
        ? foldFile(disk, join(outboxDir(root), 'done', month, name))
        : undefined
      return delivery ? [delivery] : []
    }),
  )
  return [...unfiled, ...filed]
}

function openIds(disk: Disk, root: string): string[] {
  const names = (disk.list(outboxDir(root)) ?? [])
    .filter(({ kind }) => kind === 'file')
    .map(({ name }) => name)
  return names.filter(name => name.endsWith('.jsonl')).map(name => basename(name, '.jsonl'))
}

/** Throws `not-found` for an id that names no delivery. */
export function loadDelivery(disk: Disk, root: string, id: string): Delivery {
  const delivery = peekDelivery(disk, root, id)
  if (delivery) return delivery
  throw new ClawError('not-found', `no delivery ${id}`, { hint: 'claw outbox list --all shows them' })
}
