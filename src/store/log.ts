import { dirname } from 'node:path'
import { ClawError } from '../core/claw-error.ts'
import { type Disk, DiskError } from '../world/disk.ts'
import { ensureDir } from './atomic-file.ts'
import { type Held, requireHeld } from './lock.ts'
import { healTail } from './log-heal.ts'
import { encodeLine } from './log/log-line.ts'
import { type LogRead, type LogReading, scanLog } from './log/log-scan.ts'
import { notKnown, notRecorded, orNotRecorded } from './recorded.ts'
import { encodeText } from './text.ts'

export type { BadLine, LogRead } from './log/log-scan.ts'

export interface AppendOptions {
  /** What the log holds, for its header; without it the log gets none (a format of others). */
  kind?: string
}

const version = 1
const newline = 0x0a

/**
 * Appends the records as one write. When it returns they are recorded; a crash
 * inside may leave some of them from the first on, so what must be whole is one
 * record. Throws `not-recorded` after cutting the file back to its old size, and
 * `not-known` when that failed too: repeating the same ids is safe, since folds
 * forgive repeats. A torn last line of an earlier crash is healed first.
 */
export function appendRecords(
  held: Held,
  disk: Disk,
  path: string,
  records: readonly object[],
  options: AppendOptions = {},
): void {
  requireHeld(held)
  if (records.length === 0) return
  const { kind } = options
  const sizeBytes = orNotRecorded(path, () => prepare(disk, path))
  const header = sizeBytes === 0 && kind !== undefined ? [{ type: 'log', kind, version }] : []
  const batch = encodeText([...header, ...records].map(encodeLine).join(''))
  try {
    const written = disk.append(path, batch)
    if (written < batch.length) throw shortWrite(path, written, batch.length)
    disk.sync(path)
  } catch (error) {
    throw takeBack(disk, path, sizeBytes, error)
  }
}

/** The whole log; an absent one is empty. Damaged lines are reported, the rest is read. */
export function readLog(disk: LogReading, path: string): LogRead {
  return scanLog(disk, path, 0)
}

/**
 * The newest records: of the last `maxBytes`, or of more when not one line fits
 * in there. The cost does not depend on the size of the log.
 */
export function readLogTail(disk: LogReading, path: string, maxBytes: number): LogRead {
  const sizeBytes = orNotRecorded(path, () => disk.stat(path)?.sizeBytes ?? 0)
  for (let window = maxBytes; window < sizeBytes; window *= 4) {
    // One byte more tells whether the window begins with a whole line.
    const from = sizeBytes - window - 1
    const bytes = orNotRecorded(path, () => disk.readRange(path, from, window + 1)) ?? new Uint8Array(0)
    const first = bytes.indexOf(newline)
    if (first !== -1 && first < bytes.length - 1) return scanLog(disk, path, from + first + 1)
  }
  return readLog(disk, path)
}

/** Returns the size from which to append; 0 for a new log. */
function prepare(disk: Disk, path: string): number {
  const sizeBytes = sizeOrCreate(disk, path)
  if (sizeBytes > 0) return healTail(disk, path, sizeBytes)
  /*
   * The name is made safe before the first byte, not after: a process that died
   * in between leaves an empty file, which the next one takes for a new log and
   * syncs again. Afterwards nobody could tell.
   */
  disk.sync(dirname(path))
  return 0
}

function sizeOrCreate(disk: Disk, path: string): number {
  const stat = disk.stat(path)
  if (stat !== undefined) return stat.sizeBytes
  ensureDir(disk, dirname(path))
  disk.create(path, new Uint8Array(0))
  return 0
}

function shortWrite(path: string, written: number, wanted: number): ClawError {
  return new ClawError(
    'not-recorded',
    `${path}: nothing recorded, only ${written} of ${wanted} bytes could be written`,
  )
}

function takeBack(disk: Disk, path: string, sizeBytes: number, error: unknown): ClawError {
  const told = notRecorded(error, path)
  try {
    disk.truncate(path, sizeBytes)
  } catch (second) {
    if (!(second instanceof DiskError)) throw second
    return notKnown(second, path)
  }
  return told
}
