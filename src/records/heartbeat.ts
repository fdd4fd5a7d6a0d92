import { join } from 'node:path'
import {
  decodeHeartbeatTasks,
  type HeartbeatTask,
  isEmptyChecklist,
  splitHeartbeat,
} from '../core/heartbeat.ts'
import { isObject } from '../core/json-schema.ts'
import { fromIso, type Millis, toIso } from '../core/millis.ts'
import { readJsonFile, replaceJson } from '../store/json-file.ts'
import { readText } from '../store/text.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { decodedFrom } from './decoded.ts'
import { agentDir, heartbeatFile } from './paths.ts'

export interface Heartbeat {
  /** Relative to the workspace. */
  file: string
  body: string
  hasChecklist: boolean
  tasks: HeartbeatTask[]
}

/** HEARTBEAT.md of an agent; undefined when absent. Throws `config-invalid` with file, line and column. */
export async function loadHeartbeat(disk: Disk, root: string, agent: string): Promise<Heartbeat | undefined> {
  const file = `agents/${agent}/HEARTBEAT.md`
  const text = readText(disk, join(agentDir(root, agent), 'HEARTBEAT.md'))
  if (text === undefined) return undefined
  const { body, block } = splitHeartbeat(text)
  return { file, body, hasChecklist: !isEmptyChecklist(body), tasks: await tasksOf(file, block) }
}

async function tasksOf(
  file: string,
  block: ReturnType<typeof splitHeartbeat>['block'],
): Promise<HeartbeatTask[]> {
  if (!block) return []
  const { readYaml } = await import('../store/yaml.ts')
  const doc = readYaml(await import('yaml'), { file, ...block })
  return decodedFrom(file, doc.locate, () => decodeHeartbeatTasks(doc.value))
}

/** When each task last came to a good end. May be deleted: every task is then due. */
export function peekHeartbeatRuns(disk: Disk, root: string, agent: string): Record<string, Millis> {
  const read = readJsonFile(disk, heartbeatFile(root, agent))
  if (read.state !== 'ok' || !isObject(read.value)) return {}
  const runs: Record<string, Millis> = {}
  for (const [name, at] of Object.entries(read.value)) {
    const millis = typeof at === 'string' ? fromIso(at) : undefined
    if (millis !== undefined) runs[name] = millis
  }
  return runs
}

/** Under the lease of the agent's heartbeat. */
export function keepHeartbeatRuns(
  world: Pick<World, 'disk' | 'random'>,
  root: string,
  agent: string,
  runs: Readonly<Record<string, Millis>>,
): void {
  const onDisk = Object.entries(runs).map(([name, at]) => [name, toIso(at)])
  replaceJson(world, heartbeatFile(root, agent), Object.fromEntries(onDisk))
}
