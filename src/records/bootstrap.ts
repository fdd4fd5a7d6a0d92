import { join, relative, sep } from 'node:path'
import type { PromptSource } from '../agent/prompt.ts'
import { conflictLine } from '../store/doc/conflict-marker.ts'
import { plainLines, readText } from '../store/text.ts'
import type { Disk } from '../world/disk.ts'
import { agentDir, sharedDir } from './paths.ts'

/** The files that make an agent what it is, in prompt order: the rules first. */
export function readBootstrap(
  disk: Disk,
  root: string,
  agent: string,
  { withHeartbeat }: { withHeartbeat: boolean },
): PromptSource[] {
  const own = (name: string, isExpected = false): PromptSource =>
    readSource(disk, root, { name, path: join(agentDir(root, agent), name), isExpected })
  const team = (name: string): PromptSource =>
    readSource(disk, root, { name: `${name} (team)`, path: join(root, name), isExpected: false })
  return [
    own('SOUL.md', true),
    team('AGENTS.md'),
    own('AGENTS.md'),
    team('TOOLS.md'),
    own('TOOLS.md'),
    own('IDENTITY.md'),
    team('USER.md'),
    own('USER.md'),
    own('MEMORY.md'),
    ...(withHeartbeat ? [own('HEARTBEAT.md')] : []),
    readSource(disk, root, {
      name: 'Team state',
      path: join(sharedDir(root), 'PROJECT_STATUS.md'),
      isExpected: false,
    }),
  ]
}

function readSource(
  disk: Disk,
  root: string,
  file: { name: string; path: string; isExpected: boolean },
): PromptSource {
  const { name, path, isExpected } = file
  const shown = relative(root, path)
  const real = disk.realpath(path)
  if (real === undefined) return { name, path: shown, text: undefined, isExpected }
  const realRoot = disk.realpath(root) ?? root
  if (!real.startsWith(realRoot + sep)) {
    return {
      name,
      path: shown,
      text: undefined,
      isExpected,
      warning: 'is a link out of the workspace and was not read',
    }
  }
  const text = plainLines(readText(disk, path) ?? '')
  const conflict = conflictLine(text)
  return {
    name,
    path: shown,
    text,
    isExpected,
    ...(conflict && { warning: `conflict markers at line ${conflict}` }),
  }
}
