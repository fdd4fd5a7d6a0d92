import { join } from 'node:path'
import type { Held } from '../../../src/store/lock.ts'
import { appendRecords, readLog } from '../../../src/store/log.ts'
import type { Disk } from '../../../src/world/disk.ts'

/** More than a page, and no multiple of one, so that a torn write can be seen. */
export const padding = 'é'.repeat(2500)

export function logFile(dir: string): string {
  return join(dir, 'records.jsonl')
}

/** Idempotent, as each writer of the program: an id that is there is not added again. */
export function appendOnce(held: Held, disk: Disk, dir: string, record: { id: string }): void {
  if (recordedIds(disk, dir).includes(record.id)) return
  appendRecords(held, disk, logFile(dir), [record], { kind: 'sweep' })
}

export function recordedIds(disk: Pick<Disk, 'stat' | 'readRange'>, dir: string): string[] {
  return readLog(disk, logFile(dir)).records.map(record => (record as { id: string }).id)
}
