import { join } from 'node:path'
import type { TurnOutcome } from '../../agent/turn.ts'
import { isTeamPath } from '../../core/job.ts'
import { isObject } from '../../core/json-schema.ts'
import type { FileChange } from '../../core/run.ts'
import { withoutSilentToken } from '../../core/silent.ts'
import { fillPath } from '../../core/zone.ts'
import { agentDir } from '../../records/paths.ts'
import { readText } from '../../store/text.ts'
import { pathNames, type RunContext } from './open-run.ts'

/** Where the job's products go, relative to the workspace. Throws `config-invalid` for an unknown `{name}`. */
export function productPaths(run: RunContext): string[] {
  return (run.job?.produces ?? []).map(({ file }) => {
    const filled = fillPath(file, pathNames(run))
    return isTeamPath(filled) ? filled : join('agents', run.agent, filled)
  })
}

/** The file that the text of the run becomes; undefined for a job that produces none. */
export function productPath(run: RunContext): string | undefined {
  return productPaths(run)[0]
}

/** A product after the first, which the agent writes with its tools: its text, or undefined when this run did not write it. */
export function writtenText(run: RunContext, path: string, files: readonly FileChange[]): string | undefined {
  const isWritten = files.some(file => file.path === path && file.after !== null)
  return isWritten ? readText(run.world.disk, join(run.root, path)) : undefined
}

export function ownPath({ root, agent }: Pick<RunContext, 'root' | 'agent'>, path: string): string {
  return isTeamPath(path) ? join(root, path) : join(agentDir(root, agent), path)
}

/** The text that the contract is about: the file where the agent wrote it with its tools, else its last message. */
export function productText(
  run: RunContext,
  outcome: TurnOutcome & { kind: 'answered' },
  files: readonly FileChange[],
): string {
  const path = productPath(run)
  const written = path === undefined ? undefined : writtenText(run, path, files)
  return written ?? finishedText(outcome.finished) ?? withoutSilentToken(outcome.text)
}

/** What `finish` was called with: its text, or its whole value as JSON. */
function finishedText(finished: { value: unknown } | undefined): string | undefined {
  if (finished === undefined || finished.value === undefined) return undefined
  const { value } = finished
  if (typeof value === 'string') return value
  return isObject(value) && typeof value['text'] === 'string' ? value['text'] : JSON.stringify(value, null, 2)
}
