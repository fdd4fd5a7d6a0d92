import type { SendOutcome, TransportKind } from '../../core/outbox-step.ts'

/** Where people read what an agent says. */
export interface Channel {
  /** As `claw.yaml` names it. */
  name: string
  kind: TransportKind
  /** Longest message in UTF-16 units; undefined when there is no limit. */
  maxUnits: number | undefined
  /** One message. Never rejects for what a network, a file or the other side can cause. */
  send(text: string, key: string, signal?: AbortSignal): Promise<SendOutcome>
}

export type { SendOutcome, TransportKind }
