import { isObject } from '../core/json-schema.ts'
import { toIso } from '../core/millis.ts'
import {
  branchOf,
  decodeSessionLine,
  type EntryDraft,
  type SessionEntry,
  type SessionHeader,
  type SessionIndexEntry,
} from '../core/session.ts'
import { readJsonFile, updateJson } from '../store/json-file.ts'
import { withLock } from '../store/lock.ts'
import { appendRecords, readLog } from '../store/log.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'
import { lockFile, sessionFile, sessionIndexFile } from './paths.ts'

export interface SessionRead {
  header: SessionHeader | undefined
  entries: SessionEntry[]
  /** Lines that could not be read; they stay in the file and are reported, never cut. */
  badLines: number[]
  hasTornTail: boolean
}

/** A transcript as it is on disk; whole objects survive damage around them. Absent reads as empty. */
export function peekSession(disk: Disk, root: string, agent: string, id: string): SessionRead {
  const log = readLog(disk, sessionFile(root, agent, id))
  const read: SessionRead = {
    header: undefined,
    entries: [],
    badLines: log.bad.map(bad => bad.line),
    hasTornTail: log.torn !== undefined,
  }
  for (const record of log.records) {
    const line = decodeSessionLine(record)
    if (line?.entry) read.entries.push(line.entry)
    else read.header ??= line?.header
  }
  return read
}

/** The index of an agent's sessions, by key. Undefined members are damage that doctor names. */
export function peekSessionIndex(disk: Disk, root: string, agent: string): Record<string, SessionIndexEntry> {
  const file = readJsonFile(disk, sessionIndexFile(root, agent))
  if (file.state !== 'ok' || !isObject(file.value)) return {}
  return Object.fromEntries(
    Object.entries(file.value).filter(
      ([, entry]) => isObject(entry) && typeof entry['sessionId'] === 'string',
    ),
  ) as Record<string, SessionIndexEntry>
}

/** An open transcript: what it holds, and where the next entry goes. */
export class Session {
  readonly id: string
  readonly key: string
  readonly #world: World
  readonly #root: string
  readonly #agent: string
  readonly #header: SessionHeader
  #entries: SessionEntry[]

  constructor(
    place: { world: World; root: string; agent: string; key: string },
    header: SessionHeader,
    entries: SessionEntry[],
  ) {
    this.#world = place.world
    this.#root = place.root
    this.#agent = place.agent
    this.key = place.key
    this.id = header.id
    this.#header = header
    this.#entries = entries
  }

  /** From the root to the leaf. */
  get branch(): SessionEntry[] {
    return branchOf(this.#entries)
  }

  /** Appends durably; a file that vanished in the meantime gets its header again. */
  async append(drafts: readonly EntryDraft[]): Promise<void> {
    const { disk, clock } = this.#world
    const entries = this.#linked(drafts, toIso(clock.now()))
    const path = sessionFile(this.#root, this.#agent, this.id)
    await withLock(this.#world, lockFile(this.#root, `sessions-${this.#agent}`), held => {
      const isNew = !disk.stat(path)?.sizeBytes
      appendRecords(held, disk, path, isNew ? [this.#header, ...entries] : entries)
    })
    this.#entries = [...this.#entries, ...entries]
  }

  /** Notes the session in `sessions.json`; unknown keys of other programs are kept. */
  async index(extra: Record<string, unknown>): Promise<void> {
    const { clock } = this.#world
    await withLock(this.#world, lockFile(this.#root, `sessions-${this.#agent}`), held =>
      updateJson(
        this.#world,
        this.#root,
        held,
        sessionIndexFile(this.#root, this.#agent),
        anyJson,
        current => {
          const before = isObject(current[this.key]) ? current[this.key] : {}
          const entry = { ...(before as object), sessionId: this.id, updatedAt: clock.now(), ...extra }
          return { ...current, [this.key]: entry }
        },
      ),
    )
  }

  #linked(drafts: readonly EntryDraft[], timestamp: string): SessionEntry[] {
    const used = new Set(this.#entries.map(entry => entry.id))
    let parentId = this.branch.at(-1)?.id ?? null
    return drafts.map(draft => {
      const id = freshId(this.#world, used)
      const entry = { ...draft, id, parentId, timestamp } as SessionEntry
      parentId = id
      return entry
    })
  }
}

const anyJson = (value: unknown): unknown => value

function freshId({ random }: World, used: Set<string>): string {
  for (;;) {
    const id = random.hex(8)
    if (!used.has(id)) {
      used.add(id)
      return id
    }
  }
}

/** A new transcript; nothing is written before the first append. */
export function newSession(place: { world: World; root: string; agent: string; key: string }): Session {
  const { world, root } = place
  const header: SessionHeader = {
    type: 'session',
    version: 3,
    id: world.random.uuid(),
    timestamp: toIso(world.clock.now()),
    cwd: root,
  }
  return new Session(place, header, [])
}

/** The session that `sessions.json` names for this key, or a new one. */
export function openSession(place: { world: World; root: string; agent: string; key: string }): Session {
  const { world, root, agent, key } = place
  const known = peekSessionIndex(world.disk, root, agent)[key]
  if (!known || !/^[\w-]+$/.test(known.sessionId)) return newSession(place)
  const { header, entries } = peekSession(world.disk, root, agent, known.sessionId)
  if (entries.length === 0 && !header) return newSession(place)
  const made = {
    type: 'session' as const,
    version: 3,
    id: known.sessionId,
    timestamp: toIso(world.clock.now()),
    cwd: root,
  }
  return new Session(place, { ...made, ...header, id: known.sessionId }, entries)
}
