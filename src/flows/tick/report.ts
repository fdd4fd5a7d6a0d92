import type { DeliveryLine } from '../outbox.ts'
import type { UpkeepCounts } from './upkeep.ts'

/** A slot that a tick starts. */
export interface StartedSlot {
  job: string
  /** ISO */
  slot: string
  why: string
  /** Of its process; null when that was killed or could not be started, undefined on a dry run. */
  exitCode?: number | null
  /** Its last words on stderr. */
  said?: string
}

export interface SlotReason {
  job: string
  /** ISO */
  slot: string
  reason: string
}

export interface WaitingSlot extends SlotReason {
  /** False where an earlier tick has said the same. */
  isNew: boolean
}

export interface DeadRun {
  run: string
  /** `<agent>/<job>`, or `<agent> -m`. */
  job: string
  slot: string | null
  since: string
}

/** What a tick did; on a dry run, what it would do. */
export interface TickReport {
  /** ISO */
  at: string
  due: StartedSlot[]
  missed: SlotReason[]
  crashed: DeadRun[]
  outbox: DeliveryLine[]
  waiting: WaitingSlot[]
  /** Null when it was not its turn. */
  upkeep: UpkeepCounts | null
}

export function emptyReport(at: string): TickReport {
  return { at, due: [], missed: [], crashed: [], outbox: [], waiting: [], upkeep: null }
}
