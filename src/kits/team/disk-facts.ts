import { join } from 'node:path'
import { isObject } from '../../core/json-schema.ts'
import { dayMs } from '../../core/millis.ts'
import { parsedJson } from '../../core/parsed-json.ts'
import type { Fact, Inspected } from './fact.ts'
import { sizeText } from './place-facts.ts'
import { namesOf } from './read-json.ts'
import { walk } from './walk.ts'

/** More files of one folder than a look counts; the fact says so. */
const maxFiles = 10_000

/** Folders named after a day change no more after this. */
const settledDays = 2

const cacheName = 'sizes.json'

interface Size {
  files: number
  bytes: number
  isComplete: boolean
  unread: number
}

interface Kept {
  /** The day of the last look, and what it found. */
  date: string
  fact: Fact
  /** By path: folders named after a day, which are not walked again. */
  settled: Record<string, [files: number, bytes: number]>
}

/**
 * Bytes and files of the workspace, by the folders at its top, the largest first.
 * One look a day: to walk a year of work costs too much for each inspection.
 */
export function diskFacts({ world, root, timeZone, cache }: Inspected): Fact[] {
  const now = world.clock.now()
  const { date } = world.clock.local(now, timeZone)
  const kept = decodeKept(parsedJson(cache.read(cacheName) ?? ''))
  if (kept?.date === date) return [kept.fact]
  const before = world.clock.local(now - settledDays * dayMs, timeZone).date
  const settled: Kept['settled'] = {}
  const sizes = namesOf(world.disk, root, 'directory')
    .filter(name => name !== '.git' && name !== 'node_modules')
    .map(folder => ({ folder, size: sizeOf(folder) }))
    .sort((a, b) => b.size.bytes - a.size.bytes)
  const fact: Fact = { ...factOf(sizes), at: now }
  cache.write(cacheName, JSON.stringify({ date, fact, settled } satisfies Kept))
  return [fact]

  function sizeOf(folder: string): Size {
    const days: string[] = []
    const size = plainSize(folder, below => {
      const day = /(?:^|\/)(\d{4}-\d{2}-\d{2})[^/]*$/.exec(below)?.[1]
      if (day === undefined || day >= before) return false
      days.push(`${folder}/${below}`)
      return true
    })
    for (const path of days) {
      const [files, bytes] = (settled[path] = kept?.settled[path] ?? pairOf(plainSize(path)))
      size.files += files
      size.bytes += bytes
    }
    return size
  }

  function plainSize(folder: string, isLeftOut: (below: string) => boolean = () => false): Size {
    const found = walk(world.disk, join(root, folder), {
      maxFiles,
      isLeftOut: (below, kind) => kind === 'directory' && isLeftOut(below),
    })
    const bytes = found.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    return { files: found.files.length, bytes, isComplete: found.isComplete, unread: found.unread.length }
  }
}

function pairOf({ files, bytes }: Size): [number, number] {
  return [files, bytes]
}

function factOf(sizes: readonly { folder: string; size: Size }[]): Fact {
  const unread = sizes.reduce((sum, { size }) => sum + size.unread, 0)
  const all = sizeText(sizes.reduce((sum, { size }) => sum + size.bytes, 0))
  const parts = sizes.map(
    ({ folder, size }) =>
      `${folder} ${sizeText(size.bytes)} in ${size.isComplete ? '' : 'more than '}${size.files} files`,
  )
  return {
    level: unread > 0 ? 'problem' : 'fact',
    category: 'disk',
    title: 'disk use',
    text: [`${all} in all`, ...parts, ...(unread > 0 ? [`${unread} paths could not be read`] : [])].join(
      '; ',
    ),
    source: 'the folders of the workspace',
  }
}

/** Derived, so what is not as it was written is measured anew. */
function decodeKept(value: unknown): Kept | undefined {
  if (!isObject(value) || !isObject(value['fact']) || !isObject(value['settled'])) return undefined
  return value as unknown as Kept
}
