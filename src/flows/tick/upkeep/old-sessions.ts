import { join } from 'node:path'
import { isObject } from '../../../core/json-schema.ts'
import { dayMs, type Millis } from '../../../core/millis.ts'
import { agentNames } from '../../../records/agents.ts'
import { lockFile, runsDir, sessionIndexFile, sessionsDir } from '../../../records/paths.ts'
import { decodeRun } from '../../../records/runs.ts'
import { peekSessionIndex } from '../../../records/sessions.ts'
import { readJsonFile, updateJson } from '../../../store/json-file.ts'
import { withLock } from '../../../store/lock.ts'
import { findRecords } from '../../../store/log-find.ts'
import { segmentName } from '../../../store/segments.ts'
import type { Disk } from '../../../world/disk.ts'
import type { World } from '../../../world/world.ts'
import { removeAll } from './remove.ts'

/** How long the transcript of an isolated run can be read. */
const keepMs = 7 * dayMs

/** Transcripts of one day's work at most; what is left goes on the next. */
const mostSessions = 2_000

/**
 * The transcripts of isolated job runs. One goes only when a run record names it as
 * that of one job run, and no conversation in `sessions.json` does: talks with
 * people and sessions that several runs share stay. Returns how many.
 */
export async function forgetSessions(
  world: World,
  root: string,
  { dryRun }: { dryRun: boolean },
): Promise<number> {
  let count = 0
  for (const agent of agentNames(world.disk, root)) {
    const ids = oldIsolated(world, root, agent).slice(0, mostSessions)
    count += ids.length
    if (dryRun || ids.length === 0) continue
    removeAll(
      world.disk,
      ids.map(id => join(sessionsDir(root, agent), `${id}.jsonl`)),
    )
    await forgetEntries(world, root, agent, new Set(ids))
  }
  return count
}

function oldIsolated({ disk, clock }: World, root: string, agent: string): string[] {
  // A damaged index names no conversation, so that nothing could be told apart.
  if (readJsonFile(disk, sessionIndexFile(root, agent)).state !== 'ok') return []
  const old = (disk.list(sessionsDir(root, agent)) ?? []).flatMap(({ name, kind }) => {
    const id = kind === 'file' ? /^([\w-]+)\.jsonl$/.exec(name)?.[1] : undefined
    const at = id === undefined ? undefined : disk.lstat(join(sessionsDir(root, agent), name))?.mtimeMs
    return id !== undefined && at !== undefined && at < clock.now() - keepMs ? [{ id, at }] : []
  })
  if (old.length === 0) return []
  const talks = new Set(
    Object.entries(peekSessionIndex(disk, root, agent))
      .filter(([key]) => !isJobKey(key))
      .map(([, { sessionId }]) => sessionId),
  )
  return old
    .filter(({ id, at }) => !talks.has(id) && usesOf(disk, runsDir(root, agent), id, at) === 1)
    .map(({ id }) => id)
}

/** Job runs that name a session, in the month in which its file was last written; infinite for a turn of a person. */
function usesOf(disk: Disk, dir: string, id: string, at: Millis): number {
  // A run over midnight of the last day stands in the month in which it began.
  const months = new Set([at, at - dayMs].map(day => segmentName(day, 'month')))
  const runs = [...months]
    .flatMap(name => findRecords(disk, `${dir}/${name}`, id))
    .map(decodeRun)
    .filter(run => run?.session === id)
  return runs.reduce((uses, run) => uses + (run?.job === null ? Infinity : 1), 0)
}

/** As `sessionKey` makes it for an isolated run. */
function isJobKey(key: string): boolean {
  return key.startsWith('cron:')
}

async function forgetEntries(
  world: World,
  root: string,
  agent: string,
  gone: ReadonlySet<string>,
): Promise<void> {
  const file = sessionIndexFile(root, agent)
  await withLock(world, lockFile(root, `sessions-${agent}`), held => {
    updateJson(
      world,
      root,
      held,
      file,
      value => value,
      whole =>
        Object.fromEntries(
          Object.entries(whole).filter(
            ([key, entry]) => !(isJobKey(key) && isObject(entry) && gone.has(String(entry['sessionId']))),
          ),
        ),
    )
  })
}
