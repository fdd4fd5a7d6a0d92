import { dayMs, fromIso, type Millis } from '../../core/millis.ts'
import { pieceKey } from '../../core/outbox-step.ts'
import type { Delivery } from '../../core/outbox.ts'
import { peekDelivery } from '../../records/outbox.ts'
import type { Arrived, DayRead, Problem, Watched } from './day-facts.ts'

export interface DeliveryFigures {
  /** Messages that arrived. */
  keyed: number
  blind: number
  /** Deliveries of which nobody knows whether they arrived: never sent again by themselves. */
  unknown: number
}

/** By then every retry has been made. */
const settledMs = dayMs
/** What arrived is remembered for so long. */
const rememberMs = 40 * dayMs

/** What reached the other side, against what the outbox says. */
export class DeliveriesWatch {
  readonly figures: DeliveryFigures = { keyed: 0, blind: 0, unknown: 0 }
  readonly #watched: Pick<Watched, 'disk' | 'root' | 'kindOf'>
  readonly #arrived = new Map<string, Millis>()
  #open: { id: string; run: string; at: Millis }[] = []

  constructor(watched: Pick<Watched, 'disk' | 'root' | 'kindOf'>) {
    this.#watched = watched
  }

  check({ records, arrived, now }: DayRead): Problem[] {
    const doubled = arrived.flatMap(one => this.#note(one, now))
    for (const { deliveries, run, startedAt } of records)
      for (const id of deliveries) this.#open.push({ id, run, at: fromIso(startedAt) ?? now })
    const due = this.#open.filter(({ at }) => at < now - settledMs)
    this.#open = this.#open.filter(({ at }) => at >= now - settledMs)
    const problems = [...doubled, ...due.flatMap(({ id, run }) => this.#settled(id, run))]
    for (const [key, at] of this.#arrived) if (at < now - rememberMs) this.#arrived.delete(key)
    return problems
  }

  #note({ channel, kind, key }: Arrived, now: Millis): Problem[] {
    this.figures[kind] += 1
    const mark = `${channel}\n${key}`
    const isRepeat = this.#arrived.has(mark)
    this.#arrived.set(mark, now)
    if (!isRepeat) return []
    return [
      {
        invariant:
          kind === 'blind'
            ? 'each delivery at most once where blind'
            : 'each delivery exactly once where keyed',
        what: `${key} arrived a second time on ${channel}`,
      },
    ]
  }

  #settled(id: string, run: string): Problem[] {
    const { disk, root, kindOf } = this.#watched
    const delivery = peekDelivery(disk, root, id)
    if (!delivery)
      return [
        { invariant: 'nothing recorded is lost', what: `delivery ${id} of run ${run} is not in the outbox` },
      ]
    const { state, channel } = delivery
    if (state === 'unknown') this.figures.unknown += 1
    const isKeyed = kindOf(channel) === 'keyed'
    const missing = this.#missing(delivery)
    if (state === 'delivered' && missing.length > 0)
      return [
        problem(isKeyed, `${missing.join(', ')} is said to be delivered, and never arrived on ${channel}`),
      ]
    if (isKeyed && missing.length > 0)
      return [
        problem(
          isKeyed,
          `${missing.join(', ')} has not arrived on ${channel} within a day (${state}: ${delivery.why})`,
        ),
      ]
    const isStuck = state === 'queued' || state === 'sending'
    return isStuck ? [problem(isKeyed, `${delivery.key} is still ${state} on ${channel} after a day`)] : []
  }

  #missing(delivery: Delivery): string[] {
    return delivery.pieces
      .map((_, index) => pieceKey(delivery, index))
      .filter(key => !this.#arrived.has(`${delivery.channel}\n${key}`))
  }
}

function problem(isKeyed: boolean, what: string): Problem {
  return {
    invariant: isKeyed ? 'each delivery exactly once where keyed' : 'each delivery at most once where blind',
    what,
  }
}
