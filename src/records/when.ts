import { isObject } from '../core/json-schema.ts'
import { readJsonFile, replaceJson } from '../store/json-file.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { whenFile } from './paths.ts'

/** What the pre-check of a job said when it last woke the model. May be deleted: the next output is then new. */
export interface WhenSeen {
  hash: string
  /** ISO */
  at: string
}

interface JobName {
  agent: string
  job: string
}

export function peekWhen(disk: Disk, root: string, name: JobName): WhenSeen | undefined {
  const file = readJsonFile(disk, whenFile(root, name.agent, name.job))
  if (file.state !== 'ok' || !isObject(file.value)) return undefined
  const { hash, at } = file.value
  return typeof hash === 'string' && typeof at === 'string' ? { hash, at } : undefined
}

export function keepWhen(
  world: Pick<World, 'disk' | 'random'>,
  root: string,
  { agent, job }: JobName,
  seen: WhenSeen,
): void {
  replaceJson(world, whenFile(root, agent, job), seen, { durable: false })
}
