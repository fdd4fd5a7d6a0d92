import { isObject } from '../../core/json-schema.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import { crc32 } from './crc32.ts'
import { decodeText, encodeText } from '../text.ts'

/** One line of a log that was understood. */
export interface LineRecord {
  record: Record<string, unknown>
  /** False when it carries no checksum: written by hand, or by an older version. */
  isChecked: boolean
}

export interface LineRead {
  records: LineRecord[]
  /** Pieces that are no record, as text. */
  fragments: string[]
}

/** `,"c":"01234567"}` */
const sealBytes = 16

/**
 * The record as one line: JSON, then the CRC-32 of that JSON (as it is without
 * the member) as a last member `c`. To check by hand, take the member out.
 */
export function encodeLine(record: object): string {
  if ('c' in record) throw new Error('a record has a member `c`, the name of the checksum')
  return seal(JSON.stringify(record)) + '\n'
}

/** Reads one line without its newline; never throws. */
export function decodeLine(bytes: Uint8Array): LineRead {
  const line = bytes.includes(0) ? bytes.filter(byte => byte !== 0) : bytes
  const text = decodeText(line).trim()
  if (text === '') return { records: [], fragments: [] }
  const whole = decodeSealed(text, line) ?? decodeWhole(text, line)
  return whole === undefined ? recover(text) : { records: [whole], fragments: [] }
}

/** A line as `encodeLine` writes it, as nearly all are; undefined for another, which may be good all the same. */
function decodeSealed(text: string, line: Uint8Array): LineRecord | undefined {
  const sealAt = line.length - sealBytes
  if (sealAt < 1 || !text.startsWith(',"c":"', text.length - sealBytes)) return undefined
  const sum = crc32(line.subarray(0, sealAt), closingBrace)
  if (!text.endsWith(`${sum}"}`)) return undefined
  const record = parseObject(`${text.slice(0, -sealBytes)}}`)
  return record && !('c' in record) ? { record, isChecked: true } : undefined
}

/** The whole text as one record; undefined when it is none, or its checksum is wrong. */
function decodeWhole(text: string, bytes = encodeText(text)): LineRecord | undefined {
  const record = parseObject(text)
  if (record === undefined) return undefined
  if (!('c' in record)) return hasDamagedSeal(bytes) ? undefined : { record, isChecked: false }
  const isChecked = sealOf(bytes) === tailOf(bytes) || isResealed(record)
  delete record['c']
  return isChecked ? { record, isChecked } : undefined
}

function seal(json: string): string {
  const comma = json === '{}' ? '' : ','
  return `${json.slice(0, -1)}${comma}"c":"${crc32(encodeText(json))}"}`
}

const closingBrace = Uint8Array.of(0x7d)

/** The seal that the bytes before the last 16 ask for. */
function sealOf(bytes: Uint8Array): string {
  const body = trimEnd(bytes)
  const isEmpty = body.length === sealBytes && body[0] === 0x7b
  if (body.length < sealBytes) return ''
  const open = isEmpty ? body.subarray(0, 1) : body.subarray(0, -sealBytes)
  return `${isEmpty ? '{' : ','}"c":"${crc32(open, closingBrace)}"}`
}

function tailOf(bytes: Uint8Array): string {
  return String.fromCharCode(...trimEnd(bytes).subarray(-sealBytes))
}

/** A flipped bit in the name of `c` must not pass as a record without checksum. */
function hasDamagedSeal(bytes: Uint8Array): boolean {
  const expected = sealOf(bytes)
  const found = tailOf(bytes)
  const differing = [...expected].filter((char, at) => char !== found[at]).length
  return expected !== '' && differing <= 2
}

/** Someone changed the spacing of the line, but nothing in it. */
function isResealed(record: Record<string, unknown>): boolean {
  const { c, ...rest } = record
  return c === crc32(encodeText(JSON.stringify(rest)))
}

/**
 * A torn line with the next one glued to it: what is certain to be a whole
 * object is kept. That is an object with the right checksum anywhere, and one
 * without a checksum only where it is bordered by other objects or the line's
 * ends and holds no broken UTF-8, since it could else be a damaged one or a part of it.
 */
function recover(text: string): LineRead {
  const records: LineRecord[] = []
  const fragments: string[] = []
  let keptTo = 0
  for (const start of objectStarts(text)) {
    if (start < keptTo) continue
    const end = objectEnd(text, start)
    const found = end === undefined ? undefined : decodeWhole(text.slice(start, end))
    if (end === undefined || found === undefined) continue
    if (!found.isChecked && !isCertain(text, start, end)) continue
    addFragment(fragments, text.slice(keptTo, start))
    records.push(found)
    keptTo = end
  }
  addFragment(fragments, text.slice(keptTo))
  return { records, fragments }
}

/** At most 200 places are tried, so that a line of noise stays cheap. */
function objectStarts(text: string): number[] {
  const starts: number[] = []
  for (let at = text.indexOf('{'); at !== -1 && starts.length < 200; at = text.indexOf('{', at + 1)) {
    starts.push(at)
  }
  return starts
}

/** Just after the brace that closes the object at `start`. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const char = text[at]
    if (inString && char === '\\') at++
    else if (char === '"') inString = !inString
    else if (!inString && char === '{') depth++
    else if (!inString && char === '}' && --depth === 0) return at + 1
  }
  return undefined
}

function isCertain(text: string, start: number, end: number): boolean {
  if (text.slice(start, end).includes('\ufffd')) return false
  const before = text.slice(0, start).trimEnd()
  const after = text.slice(end).trimStart()
  return (before === '' || before.endsWith('}')) && (after === '' || after.startsWith('{'))
}

function addFragment(fragments: string[], text: string): void {
  // Only what JSON takes for space is nothing: a flipped newline may look like other space.
  if (/[^ \t\r\n]/.test(text)) fragments.push(text)
}

function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parsedJson(text)
  return isObject(value) ? value : undefined
}

function trimEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (end > 0 && (bytes[end - 1] ?? 0) <= 0x20) end--
  return bytes.subarray(0, end)
}
