import type { FileEdit } from './file-ops.ts'

export type Edited =
  | { kind: 'edited'; text: string; replaced: number }
  | { kind: 'refused'; reason: 'not-found' | 'not-unique' | 'no-change'; why: string }

/** Replaces exactly what is named. The old text must occur once unless all are meant; nothing is guessed. */
export function exactEdit(text: string, { oldText, newText, replaceAll = false }: FileEdit): Edited {
  if (oldText === '') return refused('not-found', 'oldText is empty; name the text to replace')
  if (oldText === newText) return refused('no-change', 'oldText and newText are the same')
  const parts = text.split(oldText)
  const count = parts.length - 1
  if (count === 0) return refused('not-found', whyAbsent(text, oldText))
  if (count > 1 && !replaceAll) {
    return refused('not-unique', `oldText occurs ${count} times; add the lines around it, or set replaceAll`)
  }
  return { kind: 'edited', text: parts.join(newText), replaced: count }
}

function refused(reason: 'not-found' | 'not-unique' | 'no-change', why: string): Edited {
  return { kind: 'refused', reason, why }
}

function whyAbsent(text: string, oldText: string): string {
  const squeeze = (value: string): string => value.replace(/\s+/g, ' ').trim()
  const isNear = squeeze(text).includes(squeeze(oldText)) && squeeze(oldText) !== ''
  return isNear
    ? 'oldText differs from the file in spaces or line ends; read the file and copy it exactly'
    : 'oldText does not occur in the file; read the file and copy it exactly'
}
