import { join, relative } from 'node:path'
import { agentNames } from '../../records/agents.ts'
import { eventsDir, lockFile, outboxDir, runsDir, sessionsDir, spendDir } from '../../records/paths.ts'
import { withLock } from '../../store/lock.ts'
import { healTail } from '../../store/log-heal.ts'
import { readLog } from '../../store/log.ts'
import type { Check, CheckInput, Repairable } from './finding.ts'

const check = 'logs'

/** Every log: damage in the middle is named and never cut, an unterminated last line can be healed. */
export const checkLogs: Check = input => {
  const { world, root } = input
  const agents = agentNames(world.disk, root)
  const months = (world.disk.list(join(outboxDir(root), 'done')) ?? []).map(({ name }) =>
    join(outboxDir(root), 'done', name),
  )
  const dirs = [
    ...agents.map(agent => ({ dir: runsDir(root, agent), lock: `runs-${agent}` })),
    ...agents.map(agent => ({ dir: sessionsDir(root, agent), lock: `sessions-${agent}` })),
    { dir: eventsDir(root), lock: 'events' },
    { dir: spendDir(root), lock: 'spend' },
    ...[outboxDir(root), ...months].map(dir => ({ dir, lock: 'outbox' })),
  ]
  return dirs.flatMap(({ dir, lock }) =>
    (world.disk.list(dir) ?? [])
      .filter(({ name, kind }) => kind === 'file' && name.endsWith('.jsonl'))
      .flatMap(({ name }) => findingsOf(input, join(dir, name), lock)),
  )
}

function findingsOf({ world, root }: CheckInput, file: string, lock: string): Repairable[] {
  const path = relative(root, file)
  const log = readLog(world.disk, file)
  const bad = log.bad.map(({ line, text }) => ({
    level: 'error' as const,
    check,
    path,
    line,
    text: `cannot be read: ${text.slice(0, 80)}`,
  }))
  if (log.torn === undefined) return bad
  const torn: Repairable = {
    level: 'warning',
    check,
    path,
    text: `the last line has no end (${log.torn.length} characters), as a crash leaves it; the next record heals it`,
    fix: 'set the torn bytes aside',
    repair: () =>
      withLock(world, lockFile(root, lock), () => {
        healTail(world.disk, file, world.disk.stat(file)?.sizeBytes ?? 0)
        world.disk.sync(file)
      }),
  }
  return [...bad, torn]
}
