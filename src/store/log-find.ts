import { decodeLine } from './log/log-line.ts'
import type { LogReading } from './log/log-scan.ts'
import { orNotRecorded } from './recorded.ts'
import { encodeText } from './text.ts'

const newline = 0x0a

/**
 * The records whose line holds this text, oldest first, among the newest `maxBytes`
 * (default: all). Only those lines are decoded: to look for an id in a long log
 * costs a search of bytes.
 */
export function findRecords(
  disk: LogReading,
  path: string,
  text: string,
  maxBytes = Number.MAX_SAFE_INTEGER,
): unknown[] {
  const sizeBytes = orNotRecorded(path, () => disk.stat(path)?.sizeBytes ?? 0)
  const from = Math.max(0, sizeBytes - maxBytes)
  const read = orNotRecorded(path, () => disk.readRange(path, from, sizeBytes - from)) ?? new Uint8Array(0)
  const bytes = Buffer.from(read.buffer, read.byteOffset, read.byteLength)
  const wanted = encodeText(text)
  const found: unknown[] = []
  // A line that began before the window is left out.
  let at = from === 0 ? 0 : bytes.indexOf(newline) + 1
  for (;;) {
    const hit = bytes.indexOf(wanted, at)
    if (hit === -1) return found
    const start = bytes.lastIndexOf(newline, hit) + 1
    const next = bytes.indexOf(newline, hit)
    const end = next === -1 ? bytes.length : next
    for (const { record } of decodeLine(bytes.subarray(start, end)).records) found.push(record)
    at = end + 1
  }
}
