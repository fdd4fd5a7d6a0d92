import { join } from 'node:path'
import type { MemoryFile } from '../core/memory-scan.ts'
import { readText } from '../store/text.ts'
import type { Disk } from '../world/disk.ts'
import { agentDir } from './paths.ts'

/** What an agent wrote down: MEMORY.md, its daily notes and its learnings; paths relative to the workspace. */
export function readMemoryFiles(disk: Disk, root: string, agent: string): MemoryFile[] {
  const notes = (folder: string): string[] =>
    (disk.list(join(agentDir(root, agent), folder)) ?? [])
      .filter(({ name, kind }) => kind === 'file' && name.endsWith('.md'))
      .map(({ name }) => `${folder}/${name}`)
  const names = ['MEMORY.md', ...notes('memory'), ...notes('.learnings')]
  return names.flatMap(name => {
    const text = readText(disk, join(agentDir(root, agent), name))
    return text === undefined ? [] : [{ path: `agents/${agent}/${name}`, text }]
  })
}
