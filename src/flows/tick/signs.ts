import { basename, dirname } from 'node:path'
import { agentNames } from '../../records/agents.ts'
import {
  agentDir,
  configFile,
  incidentsFile,
  jobsDir,
  leaseFile,
  outboxDir,
  watchFile,
} from '../../records/paths.ts'
import type { Disk } from '../../world/disk.ts'

/*
 * Little is imported here: with nothing due, this and the index is all that a tick
 * loads of the program.
 */

export function configSign(disk: Disk, root: string): string {
  return signOf(disk, configFile(root))
}

/** Changes whenever the file does: no editor and no rename keeps time, size and inode. */
function signOf(disk: Disk, path: string): string {
  const stat = disk.stat(path)
  return stat ? `${stat.mtimeMs}.${stat.sizeBytes}.${stat.id}` : '-'
}

/** What a tick compares with what the one before has seen. */
export interface Signs {
  /** A line for each job. */
  jobs: string[]
  /** The outbox, the leases that name a holder, and what is paused. */
  state: string[]
  watch: string
}

export function signsText({ jobs, state, watch }: Signs): string {
  return [...jobs, ...state, watch].join('\n')
}

/** A line for each job file, and for each checklist. */
export function jobSigns(disk: Disk, root: string): JobSign[] {
  return agentNames(disk, root).flatMap(agent => {
    const dir = jobsDir(root, agent)
    const files = (disk.list(dir) ?? []).filter(({ name }) => name.endsWith('.md'))
    const signs = files.map(({ name }): JobSign => {
      return { agent, name: name.slice(0, -3), sign: `${agent}/${name} ${signOf(disk, `${dir}/${name}`)}` }
    })
    const hasChecklist = disk.stat(`${agentDir(root, agent)}/HEARTBEAT.md`) !== undefined
    return hasChecklist ? [...signs, { agent, name: undefined, sign: `${agent} has a checklist` }] : signs
  })
}

export interface JobSign {
  agent: string
  /** Undefined for the checklist of the agent. */
  name: string | undefined
  sign: string
}

export function stateSigns(disk: Disk, root: string): string[] {
  const outbox = outboxDir(root)
  const queued = (disk.list(outbox) ?? []).flatMap(({ name, kind }) =>
    kind === 'file' ? [`${name} ${signOf(disk, `${outbox}/${name}`)}`] : [],
  )
  const leases = namedLeases(disk, root).map(
    name => `${name} ${signOf(disk, `${leaseFile(root, name)}.owner`)}`,
  )
  return [...queued, ...leases, signOf(disk, incidentsFile(root))]
}

/** A file that a slot waits for, and what it was like. */
export interface AwaitedFile {
  path: string
  sign: string
}

export function awaitedFile(disk: Disk, path: string): AwaitedFile {
  return { path, sign: signOf(disk, path) }
}

export function watchSign(disk: Disk, root: string): string {
  return signOf(disk, watchFile(root))
}

const suffix = '.owner'

/** Leases that name a holder: what lives, and what died and did not let go. */
export function namedLeases(disk: Disk, root: string): string[] {
  const entries = disk.list(dirname(leaseFile(root, '-'))) ?? []
  return entries.flatMap(({ name }) => (name.endsWith(suffix) ? [basename(name, suffix)] : []))
}
