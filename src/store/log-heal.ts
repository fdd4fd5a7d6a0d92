import { dirname } from 'node:path'
import { type Disk, DiskError } from '../world/disk.ts'
import { decodeLine } from './log/log-line.ts'
import { decodeText, encodeText } from './text.ts'

const newline = 0x0a
const chunkBytes = 64 * 1024

/** Where the last line of a log begins that has no newline, and its bytes. */
export interface TornLine {
  offset: number
  bytes: Uint8Array
}

/** Undefined when the file ends with a newline or is empty. */
export function tornLine(
  disk: Pick<Disk, 'readRange'>,
  path: string,
  sizeBytes: number,
): TornLine | undefined {
  let bytes = new Uint8Array(0)
  for (let end = sizeBytes; end > 0;) {
    // The first look is one byte: nearly always there is nothing to heal.
    const from = end === sizeBytes ? end - 1 : Math.max(0, end - chunkBytes)
    const chunk = disk.readRange(path, from, end - from) ?? new Uint8Array(0)
    const at = chunk.lastIndexOf(newline)
    bytes = Buffer.concat([chunk.subarray(at + 1), bytes])
    if (at !== -1) break
    end = from
  }
  return bytes.length === 0 ? undefined : { offset: sizeBytes - bytes.length, bytes }
}

/** A whole record that only lacks its newline, as an editor leaves it; NULs for the newline are a lost write. */
export function isWholeLine(bytes: Uint8Array): boolean {
  const { records, fragments } = decodeLine(bytes)
  return records.length === 1 && fragments.length === 0
}

/**
 * Cuts an unterminated last line after its bytes are safe in `<path>.torn`; a
 * whole record gets its newline instead. Returns the size from which to append.
 * Repeating it after a crash anywhere inside keeps the bytes once.
 */
export function healTail(disk: Disk, path: string, sizeBytes: number): number {
  const torn = tornLine(disk, path, sizeBytes)
  if (torn === undefined) return sizeBytes
  if (isWholeLine(torn.bytes)) {
    appendWhole(disk, path, encodeText('\n'))
    return sizeBytes + 1
  }
  keepTorn(disk, `${path}.torn`, torn.bytes)
  disk.truncate(path, torn.offset)
  return torn.offset
}

function keepTorn(disk: Disk, path: string, bytes: Uint8Array): void {
  const line = Buffer.concat([bytes, encodeText('\n')])
  const sizeBytes = disk.stat(path)?.sizeBytes ?? 0
  const from = Math.max(0, sizeBytes - line.length)
  const last = disk.readRange(path, from, line.length) ?? new Uint8Array(0)
  if (!line.equals(last)) appendWhole(disk, path, line)
  disk.sync(path)
  disk.sync(dirname(path))
}

function appendWhole(disk: Disk, path: string, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length;) {
    const written = disk.append(path, bytes.subarray(done))
    if (written === 0) throw new DiskError('ENOSPC', 'append', path)
    done += written
  }
}

/** What a reader reports of a torn line. */
export function tornText(torn: TornLine): string {
  return decodeText(torn.bytes.filter(byte => byte !== 0))
}
