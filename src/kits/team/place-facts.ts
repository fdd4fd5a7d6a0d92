import { join } from 'node:path'
import { dayMs, minuteMs } from '../../core/millis.ts'
import type { Disk } from '../../world/disk.ts'
import type { Fact, Inspected } from './fact.ts'
import { namesOf, readLenient } from './read-json.ts'
import { walk, type Walk } from './walk.ts'

/** A transcript above this slows every turn that goes on with it. */
const largeSessionBytes = 2 ** 20

/** More files than a walk counts; the fact says so. */
const maxFiles = 10_000

/** How large the transcripts are in all, and one problem for each agent that has a large one. */
export function sessionFacts({ world: { disk }, root, agents }: Inspected): Fact[] {
  const walks = agents.map(agent => ({
    agent,
    found: walk(disk, join(root, sessionsOf(agent)), { maxFiles }),
  }))
  const large = walks.flatMap(({ agent, found }): Fact[] => {
    const largest = found.files.reduce((most, { sizeBytes }) => Math.max(most, sizeBytes), 0)
    if (largest <= largeSessionBytes) return []
    const text = `a transcript of ${sizeText(largest)}; above ${sizeText(largeSessionBytes)} it slows each turn that goes on with it`
    return [
      {
        level: 'problem',
        category: 'sessions',
        title: `sessions of ${agent}`,
        text,
        source: sessionsOf(agent),
      },
    ]
  })
  const sizes = walks
    .filter(({ found }) => found.files.length > 0)
    .map(({ agent, found }) => `${agent} ${sizeText(totalBytes(found))} in ${countText(found)}`)
  const text = sizes.join('; ') || 'none'
  return [
    ...large,
    { level: 'fact', category: 'sessions', title: 'sessions', text, source: sessionsOf(oneOrAll(agents)) },
  ]
}

function sessionsOf(agent: string): string {
  return `agents/${agent}/sessions`
}

function oneOrAll(agents: readonly string[]): string {
  return agents.length === 1 ? agents[0]! : '*'
}

/** How many learnings wait for a reflection. An entry without a state counts as waiting. */
export function learningFacts({ world: { disk }, root, agents }: Inspected): Fact[] {
  const pending = agents
    .map(agent => ({ agent, count: pendingLearnings(disk, join(root, 'agents', agent, '.learnings')) }))
    .filter(({ count }) => count > 0)
  const text = pending.map(({ agent, count }) => `${agent} ${count} pending`).join('; ') || 'none is pending'
  const source = `agents/${oneOrAll(agents)}/.learnings`
  return [{ level: 'fact', category: 'learnings', title: 'learnings', text, source }]
}

/** Entries are headings of the second level; one that names a state other than `pending` is done. */
export function pendingLearnings(disk: Disk, folder: string): number {
  const texts = namesOf(disk, folder, 'file')
    .filter(name => name.endsWith('.md'))
    .map(name => readLenient(disk, join(folder, name)) ?? '')
  const entries = texts.flatMap(text => text.split(/^## /m).slice(1))
  return entries.filter(entry => {
    const state = /^[-*\s]*\*{0,2}status\*{0,2}\s*[:：]\*{0,2}\s*(\S+)/im.exec(entry)?.[1]
    return state === undefined || state.toLowerCase().startsWith('pending')
  }).length
}

/** What is in the outbox: each file there is a delivery that is not settled. */
export function deliveryFacts({ world: { disk }, root }: Inspected): Fact[] {
  const open = namesOf(disk, join(root, '.claw/outbox'), 'file').filter(name =>
    name.endsWith('.jsonl'),
  ).length
  return [
    {
      level: open > 0 ? 'problem' : 'fact',
      category: 'deliveries',
      title: 'deliveries',
      text: open === 0 ? 'none is open' : `${open} open; claw outbox list names them`,
      source: '.claw/outbox',
    },
  ]
}

const agedFolders = ['', 'intel', 'inspections', 'status']

/** Files of the team that nobody has written for a day, and those from the future. */
export function agedFacts({ world, root }: Inspected): Fact[] {
  const now = world.clock.now()
  return agedFolders.flatMap(name => {
    const folder = name === '' ? 'shared-context' : `shared-context/${name}`
    const files = namesOf(world.disk, join(root, folder), 'file').filter(file => file !== 'README.md')
    return files.flatMap((file): Fact[] => {
      const mtimeMs = world.disk.stat(join(root, folder, file))?.mtimeMs ?? now
      const isFuture = mtimeMs > now + 5 * minuteMs
      if (!isFuture && now - mtimeMs <= dayMs) return []
      const days = Math.floor((now - mtimeMs) / dayMs)
      return [
        {
          level: isFuture ? 'problem' : 'fact',
          category: 'shared files',
          title: `${folder}/${file}`,
          text: isFuture
            ? 'its time lies in the future'
            : `not written for ${days === 1 ? 'a day' : `${days} days`}`,
          source: `${folder}/${file}`,
          at: mtimeMs,
        },
      ]
    })
  })
}

/** The newest backup; none for two days is an alert once there ever was one. */
export function backupFacts({ world, root }: Inspected): Fact[] {
  const newest = namesOf(world.disk, join(root, 'backups'), 'directory')
    .filter(name => /^\d{4}-\d{2}-\d{2}/.test(name))
    .at(-1)
  const common = { category: 'backups', title: 'backup', source: 'backups' }
  if (newest === undefined) return [{ ...common, level: 'problem', text: 'there is none yet' }]
  const at = world.disk.stat(join(root, 'backups', newest))?.mtimeMs
  const isOld = at !== undefined && world.clock.now() - at > 2 * dayMs
  const text = `the newest is ${newest}${isOld ? ', older than two days' : ''}`
  return [{ ...common, level: isOld ? 'alert' : 'fact', text, at }]
}

function totalBytes({ files }: Walk): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}

function countText({ files, isComplete }: Walk): string {
  return isComplete ? `${files.length} files` : `the first ${files.length} files (there are more)`
}

export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  if (bytes < 2 ** 20) return `${(bytes / 1024).toFixed(1)} KiB`
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}
