import { cutAt, tailOf } from '../../core/truncate.ts'
import type { SpawnReply } from '../../world/spawn.ts'

export interface ExecText {
  text: string
  isCut: boolean
  /** Where the full text is; undefined when all of it is shown. */
  ref: string | undefined
}

export interface ExecTextLimits {
  shownChars: number
  offload: (text: string) => string
}

const tailShare = 0.3

/** Both streams as text; a cut says how much is shown of how much and where the whole is. */
export function execText(reply: SpawnReply, { shownChars, offload }: ExecTextLimits): ExecText {
  const stdout = streamText(reply.stdout, reply.stdoutBytes, 'stdout')
  const stderr = streamText(reply.stderr, reply.stderrBytes, 'stderr')
  const full = [stdout, stderr === '' ? '' : `[stderr]\n${stderr}`].filter(part => part !== '').join('\n')
  const isDropped = reply.stdoutBytes > reply.stdout.length || reply.stderrBytes > reply.stderr.length
  if (full.length <= shownChars) return { text: full, isCut: isDropped, ref: undefined }
  const ref = offload(full)
  const tailLength = Math.floor(shownChars * tailShare)
  const head = cutAt(full, shownChars - tailLength)
  const tail = tailOf(full, tailLength)
  const sizes = `stdout ${reply.stdoutBytes} bytes, stderr ${reply.stderrBytes} bytes`
  const marker = `[... cut: the first ${head.length} and the last ${tail.length} of ${full.length} characters are shown (${sizes}); full text: ${ref} ...]`
  return { text: `${head}\n${marker}\n${tail}`, isCut: true, ref }
}

function streamText(bytes: Uint8Array, allBytes: number, name: string): string {
  const text = new TextDecoder().decode(bytes).trimEnd()
  return allBytes > bytes.length ? `${text}\n[${name}: ${bytes.length} of ${allBytes} bytes were kept]` : text
}
