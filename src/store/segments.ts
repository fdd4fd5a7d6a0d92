import { join } from 'node:path'
import { type Millis, toIso } from '../core/millis.ts'
import type { Disk } from '../world/disk.ts'
import type { Held } from './lock.ts'
import { type BadLine, type LogRead, appendRecords, readLog, readLogTail } from './log.ts'
import { orNotRecorded } from './recorded.ts'

export type SegmentUnit = 'day' | 'month'

export interface SegmentOptions {
  at: Millis
  unit: SegmentUnit
  kind: string
}

export interface SegmentRange {
  /** First day or month, inclusive: `2026-11` or `2026-11-30`. */
  from?: string
  /** Last day or month, inclusive. */
  to?: string
}

export interface SegmentsRead {
  /** Oldest first. */
  records: unknown[]
  bad: (BadLine & { path: string })[]
  torn: { path: string; text: string }[]
  unchecked: number
}

/** `2026-11.jsonl` or `2026-11-30.jsonl`, of the UTC date. */
export function segmentName(at: Millis, unit: SegmentUnit): string {
  return `${toIso(at).slice(0, unit === 'day' ? 10 : 7)}.jsonl`
}

/** As `appendRecords`, to the segment of `at`; returns its path. */
export function appendToSegment(
  held: Held,
  disk: Disk,
  dir: string,
  records: readonly object[],
  { at, unit, kind }: SegmentOptions,
): string {
  const path = join(dir, segmentName(at, unit))
  appendRecords(held, disk, path, records, { kind })
  return path
}

export function readSegments(disk: Disk, dir: string, range: SegmentRange = {}): SegmentsRead {
  const all: SegmentsRead = { records: [], bad: [], torn: [], unchecked: 0 }
  for (const name of segmentNames(disk, dir)) {
    if (!isWithin(name, range)) continue
    const path = join(dir, name)
    const read = readLog(disk, path)
    for (const record of read.records) all.records.push(record)
    all.bad.push(...read.bad.map(bad => ({ ...bad, path })))
    if (read.torn !== undefined) all.torn.push({ path, text: read.torn })
    all.unchecked += read.unchecked
  }
  return all
}

/**
 * The `count` newest records, oldest of them first. Reads backwards only as far
 * as needed, so the cost does not depend on the length of the history.
 */
export function newestRecords(disk: Disk, dir: string, count: number): unknown[] {
  const newest: unknown[][] = []
  let missing = count
  for (const name of segmentNames(disk, dir).reverse()) {
    if (missing <= 0) break
    const found = newestOf(disk, join(dir, name), missing)
    newest.push(found)
    missing -= found.length
  }
  return newest.reverse().flat()
}

/** Sorted, so by date. */
export function segmentNames(disk: Disk, dir: string): string[] {
  const entries = orNotRecorded(dir, () => disk.list(dir)) ?? []
  return entries.map(entry => entry.name).filter(name => /^\d{4}-\d{2}(-\d{2})?\.jsonl$/.test(name))
}

function newestOf(disk: Disk, path: string, count: number): unknown[] {
  let read: LogRead
  // A run record is about 600 bytes: most look-ups end with the first window.
  let windowBytes = Math.max(2048, count * 1024)
  do {
    read = readLogTail(disk, path, windowBytes)
    windowBytes *= 8
  } while (read.records.length < count && !read.isWhole)
  return read.records.slice(-count)
}

/** A month holds its days, whichever of the two is written shorter. */
function isWithin(name: string, { from = '', to = '' }: SegmentRange): boolean {
  const stem = name.slice(0, -'.jsonl'.length)
  return (
    stem.slice(0, from.length) >= from.slice(0, stem.length) &&
    stem.slice(0, to.length) <= to.slice(0, stem.length)
  )
}
