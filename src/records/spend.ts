import { isObject } from '../core/json-schema.ts'
import { toIso } from '../core/millis.ts'
import { join } from 'node:path'
import { withLock } from '../store/lock.ts'
import { appendRecords, readLog } from '../store/log.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { lockFile, spendDir } from './paths.ts'

export interface Spending {
  run: string
  agent: string
  job: string | null
  model: string
  /** US dollars. */
  cost: number
}

const dayFile = (root: string, date: string): string => join(spendDir(root), `${date}.jsonl`)

/** What the runs of one local day cost, in US dollars; calls of unknown price are not in it. */
export function spentOn(disk: Disk, root: string, date: string): number {
  let total = 0
  const seen = new Set<string>()
  for (const record of readLog(disk, dayFile(root, date)).records) {
    if (!isObject(record) || typeof record['cost'] !== 'number' || seen.has(String(record['run']))) continue
    seen.add(String(record['run']))
    total += record['cost']
  }
  return total
}

export function recordSpending(world: World, root: string, date: string, spending: Spending): Promise<void> {
  return withLock(world, lockFile(root, 'spend'), held =>
    appendRecords(
      held,
      world.disk,
      dayFile(root, date),
      [{ type: 'spent', ...spending, at: toIso(world.clock.now()) }],
      {
        kind: 'spend',
      },
    ),
  )
}
