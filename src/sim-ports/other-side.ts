import type { Channel, SendOutcome, TransportKind } from '../adapters/channels/channel.ts'
import { discordLimit } from '../core/chunk.ts'
import type { Millis } from '../core/millis.ts'
import type { ChannelFault } from '../sim/year/fault-table.ts'
import type { SimProcess } from '../sim/year/machine.ts'

export interface Arrival {
  channel: string
  kind: TransportKind
  key: string
  at: Millis
}

const sendMs = 300

/** What is behind the channels: it remembers all that arrived, whatever the sender was told. */
export class OtherSide {
  /** In order; whoever counts them empties the list. */
  arrivals: Arrival[] = []
  readonly #kinds = new Map<string, TransportKind>()
  /** Keys that a keyed channel has taken. */
  readonly #taken = new Set<string>()

  /** Every other channel knows keys; the others are blind and take 2000 characters at a time. */
  open(names: readonly string[]): void {
    for (const [index, name] of names.entries()) this.#kinds.set(name, index % 2 === 0 ? 'blind' : 'keyed')
  }

  kindOf(name: string): TransportKind {
    return this.#kinds.get(name) ?? 'blind'
  }

  channelFor(process: SimProcess, name: string): Channel {
    const kind = this.kindOf(name)
    const { clock } = process.world
    return {
      name,
      kind,
      maxUnits: kind === 'blind' ? discordLimit : undefined,
      send: async (_text, key) => {
        const fault = process.isStruck ? undefined : process.faults.channel
        if (fault) process.isStruck = true
        if (arrives(fault)) this.#take({ channel: name, kind, key, at: clock.now() })
        await clock.sleep(sendMs)
        return outcomeOf(fault)
      },
    }
  }

  #take(arrival: Arrival): void {
    const { kind, channel, key } = arrival
    const mark = `${channel}\n${key}`
    if (kind === 'keyed' && this.#taken.has(mark)) return
    if (kind === 'keyed') this.#taken.add(mark)
    this.arrivals.push(arrival)
  }
}

function arrives(fault: ChannelFault | undefined): boolean {
  return fault === undefined || fault === 'lost-arrived'
}

function outcomeOf(fault: ChannelFault | undefined): SendOutcome {
  switch (fault) {
    case undefined:
      return { kind: 'sent' }
    case 'refused':
      return { kind: 'refused', why: 'busy, try again', permanent: false, retryAfterMs: 2000 }
    default:
      return { kind: 'lost', why: 'the answer was lost' }
  }
}
