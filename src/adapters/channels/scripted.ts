import type { Channel, SendOutcome, TransportKind } from './channel.ts'

export interface ScriptedChannel extends Channel {
  /** What reached the other side, in order. */
  received: { text: string; key: string }[]
}

/** Sends so far, in: how this one ends. A `lost` one may have `arrives: true`. */
export type ChannelScript = (count: number) => SendOutcome & { arrives?: boolean }

interface ScriptedOptions {
  name?: string
  kind?: TransportKind
  maxUnits?: number
  /** Default: everything is accepted. */
  script?: ChannelScript
}

/** The other side as a function. A keyed one takes each key once. */
export function scriptedChannel({
  name = 'scripted',
  kind = 'blind',
  maxUnits,
  script,
}: ScriptedOptions = {}): ScriptedChannel {
  const received: { text: string; key: string }[] = []
  let count = 0
  return {
    name,
    kind,
    maxUnits,
    received,
    async send(text, key) {
      const outcome = script?.(count) ?? { kind: 'sent' as const, arrives: true }
      count += 1
      const arrives = outcome.arrives ?? outcome.kind === 'sent'
      const isRepeat = kind === 'keyed' && received.some(one => one.key === key)
      if (arrives && !isRepeat) received.push({ text, key })
      return outcome
    },
  }
}
