import { join } from 'node:path'
import { isClawError } from '../core/claw-error.ts'
import { isObject } from '../core/json-schema.ts'
import { frozen, remembered } from '../core/remembered.ts'
import { parseJson } from '../store/json-file.ts'
import { replaceFile } from '../store/atomic-file.ts'
import { orNotRecorded } from '../store/recorded.ts'
import { readText } from '../store/text.ts'
import { crc32 } from '../store/log/crc32.ts'
import { encodeText } from '../store/text.ts'
import type { World } from '../world/world.ts'
import { indexDir } from './paths.ts'

/** Raise it when a decoder's result changes shape, or when it refuses more: older caches are then passed over. */
const cacheVersion = 4

interface Entry<T> {
  source: string
  value: T
  sum: string
}

/** Against bytes that rot, not against people: who can write here can write the file itself. */
function sumOf(value: unknown): string {
  return crc32(encodeText(JSON.stringify(value)))
}

/**
 * Decoded documents beside the exact text they came from, so that a run need not
 * load a YAML parser. A cache is right when its text equals the file's and its value
 * has the sum it was kept with; it may be deleted at any time.
 */
export class DecodeCache<T> {
  readonly #path: string
  readonly #world: Pick<World, 'disk' | 'random'>
  #entries: Readonly<Record<string, Entry<T>>> | undefined
  #isChanged = false

  constructor(world: Pick<World, 'disk' | 'random'>, root: string, name: string) {
    this.#world = world
    this.#path = join(indexDir(root), `${name}.json`)
  }

  /** Shared by all who ask; nobody may change it. */
  get(file: string, source: string): T | undefined {
    const entry = this.#load()[file]
    return entry?.source === source ? entry.value : undefined
  }

  put(file: string, source: string, value: T): void {
    this.#entries = { ...this.#load(), [file]: { source, value, sum: sumOf(value) } }
    this.#isChanged = true
  }

  /** Called by commands that write; a failure costs only time on the next run. */
  save(): void {
    if (!this.#isChanged) return
    const content = JSON.stringify({ version: cacheVersion, entries: this.#entries })
    try {
      replaceFile(this.#world, this.#path, content, { durable: false })
      this.#isChanged = false
    } catch (error) {
      if (!isClawError(error)) throw error
    }
  }

  #load(): Readonly<Record<string, Entry<T>>> {
    if (!this.#entries) {
      const text = orNotRecorded(this.#path, () => readText(this.#world.disk, this.#path))
      this.#entries = (text === undefined ? {} : entriesIn(text)) as Record<string, Entry<T>>
    }
    return this.#entries
  }
}

/** Of one team: its configuration and its jobs. */
const mostCaches = 200

/** Those of a cache file that are as they were kept. */
const entriesIn = remembered((text: string): Readonly<Record<string, Entry<unknown>>> => {
  const read = parseJson(text)
  const { version, entries } = read.state === 'ok' && isObject(read.value) ? read.value : {}
  if (version !== cacheVersion || !isObject(entries)) return {}
  const intact = Object.entries(entries as Record<string, Entry<unknown>>).filter(
    ([, entry]) => isObject(entry) && entry.sum === sumOf(entry.value),
  )
  return frozen(Object.fromEntries(intact))
}, mostCaches)
