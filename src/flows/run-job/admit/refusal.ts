import type { RunFailure } from '../../../core/retry.ts'

/** Why a run may not start. */
export interface Refusal {
  kind: 'refused'
  state: 'skipped' | 'failed'
  reason: string
  failure: RunFailure | null
  /** False where the slot's own record tells it already. */
  isRecorded: boolean
  /** The slot has its end with this: another job run is in the way, or a person switched the job off. */
  settlesSlot: boolean
}

export function skipped(reason: string, extra: Partial<Refusal> = {}): Refusal {
  return {
    kind: 'refused',
    state: 'skipped',
    reason,
    failure: null,
    isRecorded: true,
    settlesSlot: false,
    ...extra,
  }
}

export function isRefusal(value: object): value is Refusal {
  return 'kind' in value && value.kind === 'refused'
}
