import { isObject } from '../core/json-schema.ts'
import { fromIso, type Millis, toIso } from '../core/millis.ts'
import { remembered } from '../core/remembered.ts'
import { parseJson, readJsonFile, replaceJson } from '../store/json-file.ts'
import { orNotRecorded } from '../store/recorded.ts'
import { readText } from '../store/text.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { tickFile, watchFile } from './paths.ts'

/**
 * How far the schedule of a job has been accounted for. Only `tick` writes it, under
 * the lock `schedule`; a job that is not in it was never seen, and nothing is missed
 * of it. May be deleted: every job is then seen for the first time.
 */
export interface Watch {
  /** The schedule and zone that `through` is about, in words. */
  schedule: string
  /** First seen (or enabled again, or its schedule changed) at this moment: earlier slots are nobody's. */
  since: Millis
  /** Every slot up to here has its end: a run, or a recorded skip. */
  through: Millis
}

export type Watches = Record<string, Watch>

/** By `<agent>/<job>`; empty when absent or damaged. Nobody may change it. */
export function peekWatches(disk: Disk, root: string): Readonly<Watches> {
  const path = watchFile(root)
  const text = orNotRecorded(path, () => readText(disk, path))
  return text === undefined ? {} : watchesIn(text)
}

/** Many ask between two changes. */
const watchesIn = remembered((text: string): Readonly<Watches> => {
  const file = parseJson(text)
  if (file.state !== 'ok' || !isObject(file.value)) return {}
  const watches: Watches = {}
  for (const [job, value] of Object.entries(file.value)) {
    const watch = decodeWatch(value)
    if (watch) watches[job] = watch
  }
  return watches
}, 4)

function decodeWatch(value: unknown): Watch | undefined {
  if (!isObject(value)) return undefined
  const { schedule } = value
  const since = instant(value['since'])
  const through = instant(value['through'])
  if (typeof schedule !== 'string' || since === undefined || through === undefined) return undefined
  return { schedule, since, through }
}

function instant(value: unknown): Millis | undefined {
  return typeof value === 'string' ? fromIso(value) : undefined
}

export function replaceWatches(world: Pick<World, 'disk' | 'random'>, root: string, watches: Watches): void {
  const onDisk = Object.entries(watches).map(([job, { schedule, since, through }]) => [
    job,
    { schedule, since: toIso(since), through: toIso(through) },
  ])
  replaceJson(world, watchFile(root), Object.fromEntries(onDisk))
}

/** When the scheduler last woke claw; undefined when it never did. */
export function peekLastTick(disk: Disk, root: string): Millis | undefined {
  const file = readJsonFile(disk, tickFile(root))
  return file.state === 'ok' && isObject(file.value) ? instant(file.value['at']) : undefined
}

/** Not durable: a tick that is forgotten in a power loss is followed by the next one. */
export function noteTick(world: Pick<World, 'disk' | 'random' | 'clock'>, root: string): void {
  replaceJson(world, tickFile(root), { at: toIso(world.clock.now()) }, { durable: false })
}
