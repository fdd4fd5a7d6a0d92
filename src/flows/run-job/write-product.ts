import { join } from 'node:path'
import { toIso } from '../../core/millis.ts'
import type { FileChange } from '../../core/run.ts'
import { replaceFile } from '../../store/atomic-file.ts'
import { decodeText } from '../../store/text.ts'
import { sha256 } from '../../world/hash.ts'
import type { RunContext } from './open-run.ts'
import { productPath } from './product.ts'
import { noteChange } from './tools-of-run.ts'

/** Writes the text where the job says, unless the agent wrote it there itself. Returns the path. */
export function writeProduct(run: RunContext, text: string, files: FileChange[]): string | undefined {
  const path = productPath(run)
  if (path === undefined) return undefined
  const isLog = path.endsWith('.jsonl')
  if (isLog && files.some(file => file.path === path)) return path
  const target = join(run.root, path)
  const bytesBefore = run.world.disk.read(target)
  const content = isLog ? logWith(run, bytesBefore, text) : text.endsWith('\n') ? text : `${text}\n`
  const before = bytesBefore && sha256(bytesBefore)
  const after = sha256(content)
  noteChange(run, files, { path, before, after, bytesBefore })
  if (before !== after) replaceFile(run.world, target, content)
  return path
}

/** A log among the products grows by a line with each run; a repetition after a crash takes the place of its line. */
function logWith({ startedAt, run, slot }: RunContext, bytes: Uint8Array | undefined, text: string): string {
  const at = slot === undefined ? null : toIso(slot)
  const mark = `"slot":${JSON.stringify(at)},`
  const lines = bytes === undefined ? [] : decodeText(bytes).split('\n')
  const kept = lines.filter(line => line !== '' && (at === null || !line.includes(mark)))
  const line = JSON.stringify({ at: toIso(startedAt), run, slot: at, text: text.trimEnd() })
  return `${[...kept, line].join('\n')}\n`
}
