import type { Disk } from '../../world/disk.ts'
import { isWholeLine, tornText } from '../log-heal.ts'
import { decodeLine } from './log-line.ts'
import { orNotRecorded } from '../recorded.ts'

export interface BadLine {
  /** From 1; in a tail, counted from where the reading began. */
  line: number
  text: string
}

export interface LogRead {
  /** Oldest first, without the header and the checksums. */
  records: unknown[]
  /** What could not be understood; never cut from the file. */
  bad: BadLine[]
  /** An unterminated last line, as a crash leaves it; the next append sets it aside. */
  torn: string | undefined
  /** Of the header; undefined without one. */
  version: number | undefined
  /** Records without a checksum. */
  unchecked: number
  /** False when `readLogTail` left out older lines. */
  isWhole: boolean
}

export type LogReading = Pick<Disk, 'stat' | 'readRange'>

const newline = 0x0a
const chunkBytes = 1024 * 1024

/** All lines from `offset` on, which must be the start of one. */
export function scanLog(disk: LogReading, path: string, offset: number): LogRead {
  const read: LogRead = { ...emptyRead(), isWhole: offset === 0 }
  let line = 0
  // Joined once for each line: to join at each chunk takes quadratic time for a line of many.
  let rest: Uint8Array[] = []
  for (const chunk of chunksFrom(disk, path, offset)) {
    let from = 0
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      addLine(read, ++line, joined([...rest, chunk.subarray(from, at)]))
      rest = []
      from = at + 1
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
  if (rest.length > 0) addLast(read, line + 1, joined(rest))
  return read
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts
  return only && parts.length === 1 ? only : Buffer.concat(parts)
}

function emptyRead(): LogRead {
  return { records: [], bad: [], torn: undefined, version: undefined, unchecked: 0, isWhole: true }
}

function* chunksFrom(disk: LogReading, path: string, offset: number): Generator<Uint8Array> {
  for (let from = offset; ;) {
    const chunk = orNotRecorded(path, () => disk.readRange(path, from, chunkBytes))
    if (chunk === undefined || chunk.length === 0) return
    yield chunk
    from += chunk.length
  }
}

function addLine(read: LogRead, line: number, bytes: Uint8Array): void {
  const { records, fragments } = decodeLine(bytes)
  for (const { record, isChecked } of records) {
    if (line === 1 && read.isWhole && record['type'] === 'log') {
      read.version = typeof record['version'] === 'number' ? record['version'] : undefined
    } else {
      read.records.push(record)
      if (!isChecked) read.unchecked++
    }
  }
  for (const text of fragments) read.bad.push({ line, text })
}

/** As the next append will treat it. */
function addLast(read: LogRead, line: number, bytes: Uint8Array): void {
  if (isWholeLine(bytes)) addLine(read, line, bytes)
  else read.torn = tornText({ offset: 0, bytes })
}
