import type { Evidence, SourceReport } from '../core/evidence.ts'
import { putBlob } from '../store/blob.ts'
import type { World } from '../world/world.ts'

interface GatheredEvidence {
  items: Evidence[]
  sources: SourceReport[]
}

/** Keeps what a run gathered as a blob; the hash goes into its record. */
export function keepEvidence(world: World, root: string, gathered: GatheredEvidence): string {
  return putBlob(world, root, `${JSON.stringify(gathered, null, 1)}\n`)
}
