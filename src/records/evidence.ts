import { isObject } from '../core/json-schema.ts'
import type { Evidence, SourceReport } from '../core/evidence.ts'
import { putBlob, readBlob } from '../store/blob.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'

export interface GatheredEvidence {
  items: Evidence[]
  sources: SourceReport[]
}

/** Keeps what a run gathered as a blob; the hash goes into its record. */
export function keepEvidence(world: World, root: string, gathered: GatheredEvidence): string {
  return putBlob(world, root, `${JSON.stringify(gathered, null, 1)}\n`)
}

/** Undefined when the blob is gone or is no evidence. */
export function readEvidence(disk: Disk, root: string, hash: string): GatheredEvidence | undefined {
  const content = readBlob(disk, root, hash)
  if (content === undefined) return undefined
  const value: unknown = JSON.parse(new TextDecoder().decode(content))
  const isGathered = isObject(value) && Array.isArray(value['items']) && Array.isArray(value['sources'])
  return isGathered ? (value as unknown as GatheredEvidence) : undefined
}
