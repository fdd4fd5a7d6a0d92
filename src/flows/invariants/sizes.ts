import { dirname, join, relative } from 'node:path'
import { estimateTokens } from '../../core/tokens.ts'
import { stateDir } from '../../records/paths.ts'
import { readText } from '../../store/text.ts'
import type { Problem, Watched } from './day-facts.ts'
import type { FilesWatch } from './files-watch.ts'

/** What a workspace may grow to. */
export const bounds = {
  /** One transcript. */
  sessionBytes: 2 * 1024 * 1024,
  /** Of MEMORY.md, which is in every prompt. */
  memoryTokens: 3000,
  /** The whole workspace with a year of history. */
  diskBytes: 512 * 1024 * 1024,
  /** Files in one folder of `.claw`: a month of deliveries, forty days of slots. */
  filesInFolder: 4000,
}

/** Of the files that were written, and of the folders that they are in. */
export function sizeProblems(
  { disk, root }: Pick<Watched, 'disk' | 'root'>,
  files: FilesWatch,
  paths: readonly string[],
): Problem[] {
  const told: string[] = []
  for (const path of paths) {
    const name = relative(root, path)
    if (/^agents\/[^/]+\/sessions\/.*\.jsonl$/.test(name) && files.sizeOf(path) > bounds.sessionBytes)
      told.push(`${name} has ${files.sizeOf(path)} bytes, more than ${bounds.sessionBytes}`)
    if (/^agents\/[^/]+\/MEMORY\.md$/.test(name)) {
      const tokens = estimateTokens(readText(disk, path) ?? '')
      if (tokens >= bounds.memoryTokens)
        told.push(`${name} has ${tokens} tokens, and ${bounds.memoryTokens} is too many`)
    }
  }
  for (const folder of new Set(paths.map(path => dirname(path)))) {
    const count = files.countIn(folder)
    const isState = folder.startsWith(join(stateDir(root), '/'))
    if (isState && count > bounds.filesInFolder)
      told.push(`${relative(root, folder)} holds ${count} files, more than ${bounds.filesInFolder}`)
  }
  if (files.bytes > bounds.diskBytes)
    told.push(`the workspace has ${files.bytes} bytes, more than ${bounds.diskBytes}`)
  return told.map(what => ({ invariant: 'sizes bounded' as const, what }))
}
