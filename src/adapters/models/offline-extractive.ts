import type { AskModel } from '../../agent/model.ts'
import { composeExtract, type ExtractMaterial } from '../../core/extract.ts'
import { noUsage } from '../../core/message.ts'
import type { Clock } from '../../world/clock.ts'

export interface OfflineOptions {
  clock: Clock
  /** What the run has gathered; undefined for a run that gathers nothing. */
  material?: ExtractMaterial
}

/** The last link of a chain: no model, the gathered evidence as a report. It always answers and costs nothing. */
export function offlineExtractive({ clock, material = nothing }: OfflineOptions): AskModel {
  return async ({ link, onText }) => {
    const text = composeExtract(material)
    onText?.(text)
    return {
      kind: 'answered',
      message: {
        role: 'assistant',
        content: [{ type: 'text', text }],
        api: link.api,
        provider: link.provider,
        model: link.model,
        usage: { ...noUsage, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 } },
        stopReason: 'stop',
        timestamp: clock.now(),
      },
    }
  }
}

const nothing: ExtractMaterial = {
  evidence: [],
  sources: [],
  notes: [],
  sections: [],
  minItems: 0,
  title: 'No answer',
  dateLine: '',
}
