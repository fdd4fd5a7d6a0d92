import { splitText } from './graphemes.ts'
import { wellFormed } from './well-formed.ts'
import { type Frame, type MarkdownLine, markdownLines, startsFence } from './markdown-lines.ts'

/** Discord's limit of one message, in UTF-16 units. */
export const discordLimit = 2000

const minLimit = 60

/**
 * Cuts Markdown into messages of at most `limit` UTF-16 units. A fence that is
 * cut is closed and opened again with its info string, a table repeats its
 * header, rows and visible characters stay whole, nothing is left out. Text
 * without anything to see gives no message at all.
 */
export function chunkMessage(text: string, limit: number = discordLimit): string[] {
  if (limit < minLimit) throw new RangeError(`a message limit below ${minLimit} cannot hold a fence`)
  const clean = wellFormed(text.replace(/\r\n?/g, '\n'))
  if (isBlank(clean)) return []
  const packer: Packer = { limit, done: [], current: '', open: undefined }
  let held: MarkdownLine[] = []
  for (const line of markdownLines(clean, limit)) {
    held.push(line)
    if (line.leads && held.length < 4) continue
    place(packer, held)
    held = []
  }
  place(packer, held)
  flush(packer)
  return packer.done
}

interface Packer {
  limit: number
  done: string[]
  current: string
  /** What is open at the end of `current`. */
  open: Frame | undefined
}

/** A few lines that belong together: on this message, else on the next, else cut. */
function place(packer: Packer, lines: readonly MarkdownLine[]): void {
  if (fits(packer, lines)) return append(packer, lines)
  const needed = { ...packer, current: '', open: undefined }
  if (packer.current !== '' && fits(needed, lines)) {
    flush(packer)
    return append(packer, lines)
  }
  for (const line of lines) {
    if (!fits(packer, [line]) && packer.current !== '' && isShort(packer, line)) flush(packer)
    if (fits(packer, [line])) append(packer, [line])
    else placeLong(packer, line)
  }
}

/** Whether the line fits on a message of its own. */
function isShort(packer: Packer, line: MarkdownLine): boolean {
  return fits({ ...packer, current: '', open: undefined }, [line])
}

function fits(packer: Packer, lines: readonly MarkdownLine[]): boolean {
  const after = lines.at(-1)?.after
  return joined(packer, lines).length + closing(after).length <= packer.limit
}

function append(packer: Packer, lines: readonly MarkdownLine[]): void {
  if (lines.length === 0) return
  packer.current = joined(packer, lines)
  packer.open = lines.at(-1)?.after
}

/** The message with these lines added; on a new one, what is open is opened again first. */
function joined({ current }: Packer, lines: readonly MarkdownLine[]): string {
  const texts = lines.map(line => line.text)
  if (current !== '') return [current, ...texts].join('\n')
  const open = lines[0]?.before?.open
  const body = texts.join('\n')
  if (open) return `${open}\n${body}`
  return lines[0]?.before ? body : body.replace(/^(?:[ \t]*\n)+/, '')
}

function closing(frame: Frame | undefined): string {
  return frame?.close ? `\n${frame.close}` : ''
}

function flush(packer: Packer): void {
  const text = packer.open?.close ? packer.current + closing(packer.open) : packer.current.trimEnd()
  if (!isBlank(text)) packer.done.push(text)
  packer.current = ''
  packer.open = undefined
}

/** A line longer than a message. A table row is cut only when it does not fit without its header either. */
function placeLong(packer: Packer, line: MarkdownLine): void {
  const isRow = line.before !== undefined && line.before.close === ''
  if (isRow && line.text.length <= packer.limit) {
    flush(packer)
    return append(packer, [{ ...line, before: undefined }])
  }
  const frame = isRow ? undefined : line.before
  const again = frame?.open ? frame.open.length + 1 : 0
  const room = packer.limit - again - closing(line.after).length - guard.length
  const left = packer.limit - packer.current.length - 1 - closing(line.after).length
  const usesRest = packer.current !== '' && left > packer.limit / 4
  if (!usesRest) flush(packer)
  const quote = frame ? '' : (/^(?:[ \t]*>[ \t]?)+/.exec(line.text)?.[0].slice(0, 12) ?? '')
  const pieces = splitText(line.text, room - quote.length, usesRest ? left : room - quote.length)
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) flush(packer)
    const text = index === 0 ? piece : quote + guarded(piece, frame)
    append(packer, [{ text, before: frame, after: line.after, leads: false }])
  }
}

/** Keeps a piece from being read as a fence that the whole line was not. */
const guard = '\u200B'

function guarded(piece: string, frame: Frame | undefined): string {
  const isFenceLike = frame ? /^[ \t>]*(`{3}|~{3})/.test(piece) : startsFence(piece)
  return isFenceLike ? guard + piece : piece
}

/** Nothing that a person could see. */
function isBlank(text: string): boolean {
  return !/[^\s\p{Cf}\p{Cc}\u115F\u1160\u3164\u2800]/u.test(text)
}
