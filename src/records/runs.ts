import { join } from 'node:path'
import { isObject } from '../core/json-schema.ts'
import { fromIso } from '../core/millis.ts'
import { foldJobStatus, type JobStatus, type RunRecord } from '../core/run.ts'
import { replaceJson, readJsonFile } from '../store/json-file.ts'
import type { Held } from '../store/lock.ts'
import { withLock } from '../store/lock.ts'
import { findRecords } from '../store/log-find.ts'
import { appendToSegment, newestRecords, segmentNames } from '../store/segments.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { jobStatusFile, jobStatusDir, lockFile, runsDir } from './paths.ts'

/** Writes the record of a run (the commit point), then the latest state of its job, which is derived. */
export function recordRun(world: World, root: string, record: RunRecord): Promise<void> {
  return withLock(world, lockFile(root, `runs-${record.agent}`), held => {
    appendToSegment(held, world.disk, runsDir(root, record.agent), [record], {
      at: fromIso(record.startedAt) ?? world.clock.now(),
      unit: 'month',
      kind: 'runs',
    })
    if (record.job !== null) replaceJobStatus(world, held, root, { ...record, job: record.job })
  })
}

function replaceJobStatus(
  world: World,
  _held: Held,
  root: string,
  record: RunRecord & { job: string },
): void {
  const before = peekJobStatus(world.disk, root, record.agent, record.job)
  if (before && before.at > record.startedAt) return
  replaceJson(world, jobStatusFile(root, record.agent, record.job), foldJobStatus(before, record), {
    durable: false,
  })
}

export function decodeRun(value: unknown): RunRecord | undefined {
  if (!isObject(value) || value['type'] !== 'run') return undefined
  const isRun = ['run', 'agent', 'state', 'startedAt'].every(key => typeof value[key] === 'string')
  if (!isRun) return undefined
  const deliveries = Array.isArray(value['deliveries']) ? value['deliveries'] : []
  return { failure: null, ...value, deliveries } as unknown as RunRecord
}

/** The newest runs of an agent, newest first; costs the same however long the history is. */
export function peekRuns(disk: Disk, root: string, agent: string, count: number): RunRecord[] {
  return newestRecords(disk, runsDir(root, agent), count)
    .map(decodeRun)
    .filter(record => record !== undefined)
    .reverse()
}

/** Undefined when absent or damaged: it is derived, and the next run writes it anew. */
export function peekJobStatus(disk: Disk, root: string, agent: string, job: string): JobStatus | undefined {
  return decodeJobStatus(readJsonFile(disk, jobStatusFile(root, agent, job)))
}

function decodeJobStatus(file: ReturnType<typeof readJsonFile>): JobStatus | undefined {
  if (file.state !== 'ok' || !isObject(file.value)) return undefined
  return typeof file.value['run'] === 'string' && typeof file.value['at'] === 'string'
    ? (file.value as unknown as JobStatus)
    : undefined
}

/** Latest states of all jobs, by `<agent>/<job>`. */
export function peekJobStatuses(disk: Disk, root: string): Map<string, JobStatus> {
  const statuses = new Map<string, JobStatus>()
  for (const { name } of disk.list(jobStatusDir(root)) ?? []) {
    if (!name.endsWith('.json')) continue
    const status = decodeJobStatus(readJsonFile(disk, join(jobStatusDir(root), name)))
    if (status) statuses.set(`${status.agent}/${status.job}`, status)
  }
  return statuses
}

/** Some fifty runs: how much of a segment is searched before the whole of it is. */
const nearBytes = 64 * 1024

/** Most look-ups are for a run of the last minutes. */
const nearestBytes = 8 * 1024

/** The record of one run by its id; undefined when it left none. Searches the segment of its month, its end first. */
export function findRun(disk: Disk, root: string, agent: string, run: string): RunRecord | undefined {
  const path = join(runsDir(root, agent), `${run.slice(0, 4)}-${run.slice(4, 6)}.jsonl`)
  const find = (maxBytes?: number): RunRecord | undefined =>
    findRecords(disk, path, run, maxBytes)
      .map(decodeRun)
      .find(record => record?.run === run)
  return find(nearestBytes) ?? find(nearBytes) ?? find()
}

/** Some fifty of the newest runs, oldest first, as far as their line holds this text; costs the same however long the history is. */
export function peekRunsWith(disk: Disk, root: string, agent: string, text: string): RunRecord[] {
  const dir = runsDir(root, agent)
  return segmentNames(disk, dir)
    .slice(-2)
    .flatMap(name => findRecords(disk, join(dir, name), text, nearBytes))
    .map(decodeRun)
    .filter(record => record !== undefined)
}
