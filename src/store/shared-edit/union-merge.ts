export interface MergeTexts {
  /** What both sides started from. */
  base: string
  ours: string
  theirs: string
}

type Diff3 = typeof import('node-diff3')
type Region = { ok?: string[]; conflict?: { a: string[]; o: string[]; b: string[] } }
type Difference = { common?: string[]; buffer1?: string[]; buffer2?: string[] }

/**
 * Three-way merge by lines that never asks: where both sides changed the same
 * place both texts stay, theirs after ours, lines that are equal once; a line
 * that one side removed is gone.
 */
export async function unionMerge({ base, ours, theirs }: MergeTexts): Promise<string> {
  if (ours === theirs || base === theirs) return ours
  if (base === ours) return theirs
  const diff3 = await import('node-diff3')
  const { head, tail, middles } = trimShared([ours, base, theirs].map(text => text.split('\n')))
  const [a = [], o = [], b = []] = middles
  const regions: Region[] = diff3.diff3Merge(a, o, b, { excludeFalseConflicts: true })
  const merged = regions.flatMap(({ ok, conflict }) => ok ?? (conflict ? unionOf(diff3, conflict) : []))
  return [...head, ...merged, ...tail].join('\n')
}

/** `base` with what `late` has more, and without its removals: for a text that may have been cut short. */
export async function withAdditions(base: string, late: string): Promise<string> {
  const diff3 = await import('node-diff3')
  return union(diff3, base.split('\n'), late.split('\n')).join('\n')
}

function unionOf(diff3: Diff3, { a, o, b }: { a: string[]; o: string[]; b: string[] }): string[] {
  const removed = new Set(o.filter(line => line.trim() !== '' && !(a.includes(line) && b.includes(line))))
  return union(diff3, a, b).filter(line => !removed.has(line))
}

function union(diff3: Diff3, first: string[], second: string[]): string[] {
  const parts: Difference[] = diff3.diffComm(first, second)
  return parts.flatMap(({ common, buffer1 = [], buffer2 = [] }) => common ?? buffer1.concat(buffer2))
}

/** What all have in common at both ends is left out of the search, whose cost grows with repeated lines. */
function trimShared(texts: string[][]): { head: string[]; tail: string[]; middles: string[][] } {
  const shortest = Math.min(...texts.map(lines => lines.length))
  const [first = []] = texts
  let from = 0
  while (from < shortest && texts.every(lines => lines[from] === first[from])) from++
  let back = 0
  while (back < shortest - from && texts.every(lines => lines.at(-1 - back) === first.at(-1 - back))) back++
  return {
    head: first.slice(0, from),
    tail: first.slice(first.length - back),
    middles: texts.map(lines => lines.slice(from, lines.length - back)),
  }
}
