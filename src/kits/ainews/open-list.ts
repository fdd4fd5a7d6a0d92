import type { CollectContext } from '../../agent/collector.ts'
import { ClawError } from '../../core/claw-error.ts'
import type { Millis } from '../../core/millis.ts'
import { loadSourceList } from './load-list.ts'
import { expandFolders } from './local-source.ts'
import { asOfInstant, type Source } from './source-list.ts'

export interface OpenedList {
  /** The enabled ones, folders as one source a file. */
  sources: Source[]
  /** The day of dated samples; undefined for a living list. */
  asOf: Millis | undefined
  notes: string[]
}

/** Loads the list a collector was pointed at. Throws `ClawError` for a list that is wrong. */
export async function openList(
  named: string,
  endings: readonly string[],
  context: CollectContext,
): Promise<OpenedList> {
  const list = await loadSourceList(named, context)
  const enabled = list.sources.filter(source => source.enabled)
  if (enabled.length === 0) {
    throw new ClawError('config-invalid', `${named}: no enabled source`, {
      hint: 'enable at least one source',
    })
  }
  const place = { disk: context.world.disk, root: context.root, endings }
  const { sources, leftOut } = expandFolders(enabled, place)
  const notes: string[] = []
  if (list.asOf !== undefined) notes.push(`sample sources, as of ${list.asOf}`)
  if (leftOut > 0)
    notes.push(`${leftOut} files without a fitting ending (${endings.join(', ')}) were left out`)
  return { sources, asOf: asOfInstant(list), notes }
}
