import { join } from 'node:path'
import { isClawError } from '../core/claw-error.ts'
import { isObject } from '../core/json-schema.ts'
import { readJsonFile } from '../store/json-file.ts'
import { replaceFile } from '../store/atomic-file.ts'
import { sha256 } from '../world/hash.ts'
import type { World } from '../world/world.ts'
import { indexDir } from './paths.ts'

/** Raise it when a decoder's result changes shape, or when it refuses more: older caches are then passed over. */
const cacheVersion = 4

interface Entry<T> {
  source: string
  value: T
  sum: string
}

function sumOf(value: unknown): string {
  return sha256(JSON.stringify(value))
}

/**
 * Decoded documents beside the exact text they came from, so that a run need not
 * load a YAML parser. A cache is right when its text equals the file's and its value
 * has the sum it was kept with; it may be deleted at any time.
 */
export class DecodeCache<T> {
  readonly #path: string
  readonly #world: Pick<World, 'disk' | 'random'>
  #entries: Record<string, Entry<T>> | undefined
  #isChanged = false

  constructor(world: Pick<World, 'disk' | 'random'>, root: string, name: string) {
    this.#world = world
    this.#path = join(indexDir(root), `${name}.json`)
  }

  get(file: string, source: string): T | undefined {
    const entry = this.#load()[file]
    return entry?.source === source && entry.sum === sumOf(entry.value) ? entry.value : undefined
  }

  put(file: string, source: string, value: T): void {
    this.#load()[file] = { source, value, sum: sumOf(value) }
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

  #load(): Record<string, Entry<T>> {
    if (!this.#entries) {
      const file = readJsonFile(this.#world.disk, this.#path)
      const value = file.state === 'ok' && isObject(file.value) ? file.value : {}
      const { version, entries } = value
      this.#entries =
        version === cacheVersion && isObject(entries) ? (entries as Record<string, Entry<T>>) : {}
    }
    return this.#entries
  }
}
