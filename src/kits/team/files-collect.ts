import type { CollectContext } from '../../agent/collector.ts'
import { filledText, listOf, numberIn, objectOf, optional, wholeIn } from '../../core/decode.ts'
import type { EvidenceDraft, GatherResult, SourceReport } from '../../core/evidence.ts'
import { hourMs, minuteMs } from '../../core/millis.ts'
import { decodeBytes } from '../../core/text-encoding.ts'
import { fillPath } from '../../core/zone.ts'
import { DiskError } from '../../world/disk.ts'
import { decodeOptions } from '../ainews/collector-options.ts'
import { dayNames } from './day-names.ts'
import { failedSource, okSource } from './fact.ts'
import { fileEvidence } from './file-evidence.ts'
import { type FoundFile, matchFiles } from './match-files.ts'

const filesOptions = objectOf({
  /** Relative to the workspace, with `{date}`, `{yesterday}`, `{week}`, `{month}`, `{agent}` and `*`. */
  files: listOf(filledText),
  /** An older file is a source that failed. */
  maxAgeHours: optional(numberIn(0, 100_000), undefined),
  /** Of one file. */
  maxChars: optional(wholeIn(100, 200_000), 8000),
  /** Of what one pattern matches, only so many, the last by path. */
  newest: optional(wholeIn(1, 400), undefined),
  /** Items with a link, in all: those with most stars, then the first. */
  max: optional(wholeIn(0, 1000), 60),
  /** For all items, in place of their headings; `maxShare` can count it. */
  category: optional(filledText, undefined),
})

type FilesOptions = ReturnType<typeof filesOptions>

/** Larger files are no notes of a team. */
const maxBytes = 8 * 2 ** 20

interface Read {
  items: EvidenceDraft[]
  source: SourceReport
  notes: string[]
}

/** `files.collect` */
export async function collectFiles(
  raw: Record<string, unknown>,
  context: CollectContext,
): Promise<GatherResult> {
  const options = decodeOptions('files.collect', filesOptions, raw)
  const names = dayNames(context)
  const reads = options.files.flatMap(pattern => readPattern(fillPath(pattern, names), options, context))
  const all = reads.flatMap(({ items }) => items)
  const linked = all.filter(({ url }) => url !== '')
  const best = new Set([...linked].sort((a, b) => b.stars - a.stars).slice(0, options.max))
  const items = all.filter(item => item.url === '' || best.has(item))
  const sources = reads.map(({ source }) => source)
  return {
    items,
    sources,
    ready: items.length > 0,
    notes: reads.flatMap(({ notes }) => notes),
    counts: {
      sources: sources.length,
      failedSources: sources.filter(({ state }) => state === 'failed').length,
      overMax: all.length - items.length,
      items: items.length,
    },
  }
}

function readPattern(pattern: string, options: FilesOptions, context: CollectContext): Read[] {
  const { world, root, signal } = context
  if (signal.aborted) return [failedRead(pattern, 'stopped')]
  const matched = matchFiles(world.disk, root, pattern, options.newest)
  if (matched.kind === 'failed') return [failedRead(pattern, matched.why)]
  return matched.files.map(file => readFile(file, options, context))
}

function readFile(file: FoundFile, options: FilesOptions, { world }: CollectContext): Read {
  const { path, absolute, stat } = file
  const now = world.clock.now()
  const why = tooOld(now - stat.mtimeMs, options.maxAgeHours) ?? tooLarge(stat.sizeBytes)
  if (why !== undefined) return failedRead(path, why)
  let bytes: Uint8Array | undefined
  try {
    bytes = world.disk.read(absolute)
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return failedRead(path, `cannot be read (${error.code})`)
  }
  if (bytes === undefined) return failedRead(path, 'no such file')
  if (bytes.includes(0)) return failedRead(path, 'no text')
  const { maxChars, category } = options
  const { items, cutChars } = fileEvidence(file, decodeBytes(bytes).text, {
    fetchedAt: now,
    maxChars,
    category,
  })
  const notes = cutChars > 0 ? [`${path}: ${cutChars} characters were left out; read it for the rest`] : []
  return { items, source: okSource(path, items.length), notes }
}

function failedRead(path: string, why: string): Read {
  return { items: [], source: failedSource(path, why), notes: [] }
}

function tooOld(ageMs: number, maxAgeHours: number | undefined): string | undefined {
  if (maxAgeHours === undefined || ageMs <= maxAgeHours * hourMs) return undefined
  const age =
    ageMs < 2 * hourMs ? `${Math.round(ageMs / minuteMs)} minutes` : `${Math.round(ageMs / hourMs)} hours`
  return `${age} old, at most ${maxAgeHours} hours are allowed`
}

function tooLarge(sizeBytes: number): string | undefined {
  return sizeBytes > maxBytes ? `${sizeBytes} bytes, at most ${maxBytes} are read` : undefined
}
