import { join } from 'node:path'
import { isObject } from '../../core/json-schema.ts'
import { fromIso, type Millis, toIso } from '../../core/millis.ts'
import { indexDir } from '../../records/paths.ts'
import type { Disk } from '../../world/disk.ts'
import type { World } from '../../world/world.ts'
import { peekKept, replaceKept } from './kept-file.ts'
import {
  type AwaitedFile,
  awaitedFile,
  configSign,
  jobSigns,
  signsText,
  stateSigns,
  watchSign,
} from './signs.ts'

/**
 * What a tick found out, so that the next one can tell in a few reads that there
 * is nothing to do. Derived: deleted or damaged, the next tick looks at everything.
 */
export interface DueIndex {
  madeAt: Millis
  /** Nothing is due before this moment, unless one of the signatures changed. */
  nextAt: Millis
  /** Of `claw.yaml`; the zone of the team stands there. */
  config: string
  /** Of everything else that a person or a run changes. */
  signs: string
  /** Warnings that were given; each is given once. */
  told: string[]
  /** Jobs that rest, as `held-back` spells them. */
  held: unknown
  /** Slots that wait, each with why; each is told once. */
  waiting: string[]
  /** Files that slots wait for: a change of one of them is looked at. */
  awaited: AwaitedFile[]
}

const dueFile = (root: string): string => join(indexDir(root), 'due.json')

export function peekDueIndex(disk: Disk, root: string): DueIndex | undefined {
  const kept = peekKept(disk, dueFile(root))
  if (!isObject(kept)) return undefined
  const { madeAt, nextAt, config, signs, told, waiting, awaited, held } = kept
  const [made, next] = [madeAt, nextAt].map(at => (typeof at === 'string' ? fromIso(at) : undefined))
  if (made === undefined || next === undefined || typeof config !== 'string' || typeof signs !== 'string')
    return undefined
  const files = Array.isArray(awaited) ? awaited.filter(isAwaited) : []
  const lists = { told: linesOf(told), waiting: linesOf(waiting), awaited: files, held }
  return { madeAt: made, nextAt: next, config, signs, ...lists }
}

function linesOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(line => typeof line === 'string') : []
}

function isAwaited(value: unknown): value is AwaitedFile {
  return isObject(value) && typeof value['path'] === 'string' && typeof value['sign'] === 'string'
}

export function replaceDueIndex(world: Pick<World, 'disk' | 'random'>, root: string, index: DueIndex): void {
  const { madeAt, nextAt, ...rest } = index
  replaceKept(world, dueFile(root), { madeAt: toIso(madeAt), nextAt: toIso(nextAt), ...rest })
}

/**
 * Until when a tick has nothing to do, as far as files tell; undefined when it must
 * look. A run or an edit in between changes that. Reads only.
 */
export function idleUntil({ disk, clock }: Pick<World, 'disk' | 'clock'>, root: string): Millis | undefined {
  const index = peekDueIndex(disk, root)
  const now = clock.now()
  if (!index || now < index.madeAt || now >= index.nextAt) return undefined
  if (index.config !== configSign(disk, root)) return undefined
  const state = stateSigns(disk, root)
  const watch = watchSign(disk, root)
  // What a run leaves is looked at first: to look at each job file costs most.
  if (!index.signs.endsWith(signsText({ jobs: [], state, watch }))) return undefined
  const jobs = jobSigns(disk, root).map(({ sign }) => sign)
  if (index.signs !== signsText({ jobs, state, watch })) return undefined
  const hasArrived = index.awaited.some(({ path, sign }) => awaitedFile(disk, path).sign !== sign)
  return hasArrived ? undefined : index.nextAt
}
