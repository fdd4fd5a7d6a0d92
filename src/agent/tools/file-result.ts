import type { FileRefused, FileText, FileWritten, FolderListing } from '../../core/file-ops.ts'
import type { JsonSchema } from '../../core/json-schema.ts'
import type { ToolResult } from '../tool.ts'
import { answer, denial, failure } from './result.ts'

/** Mistakes of the model; every other refusal is the policy's. */
const mistakes: ReadonlySet<string> = new Set([
  'absent',
  'not-a-file',
  'not-found',
  'not-unique',
  'no-change',
  'empty',
  'binary',
  'too-large',
  'too-long',
  'dangling-link',
  'no-access',
  'special',
])

export const pathParameter: JsonSchema = {
  type: 'string',
  minLength: 1,
  description:
    'Relative to your own folder or to the workspace, e.g. memory/2026-01-31.md or shared-context/intel/x.json',
}

export function refusedResult({ reason, why }: FileRefused): ToolResult {
  return mistakes.has(reason) ? failure(why, { reason }) : denial(why, reason)
}

export function writtenResult(outcome: FileWritten | FileRefused): ToolResult {
  if (outcome.kind === 'refused') return refusedResult(outcome)
  const { path, before, after, sizeBytes, replaced } = outcome
  const what = before === undefined ? 'made' : before === after ? 'already as asked:' : 'changed'
  const places = replaced > 1 ? `, ${replaced} places` : ''
  return answer(`${what} ${path} (${sizeBytes} bytes${places})`, 'harness', {
    path,
    before: before ?? null,
    after,
  })
}

const defaultLines = 2000

/** The lines asked for; a part says that it is one. */
export function readResult(
  outcome: FileText | FolderListing | FileRefused,
  { offset = 1, limit = defaultLines }: { offset?: number; limit?: number },
): ToolResult {
  if (outcome.kind === 'refused') return refusedResult(outcome)
  const { path } = outcome
  if (outcome.kind === 'folder') {
    const listing = outcome.names.length === 0 ? `${path} is an empty folder` : outcome.names.join('\n')
    return answer(listing, 'workspace', { path, entries: outcome.names.length })
  }
  const lines = outcome.text.split('\n')
  const from = Math.max(1, offset)
  if (from > lines.length)
    return failure(`${path} has ${lines.length} lines; offset ${offset} is behind its end`)
  const to = Math.min(lines.length, from - 1 + limit)
  const text = lines.slice(from - 1, to).join('\n')
  if (outcome.text === '') return answer(`${path} is empty`, 'workspace', { path })
  const isPart = from > 1 || to < lines.length
  const note = `\n[lines ${from} to ${to} of ${lines.length} of ${path}${to < lines.length ? `; go on with offset ${to + 1}` : ''}]`
  return answer(isPart ? text + note : text, 'workspace', { path, sizeBytes: outcome.sizeBytes })
}
