/** The candidate that a misspelt word most likely meant; undefined when none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const limit = Math.max(2, Math.floor(word.length / 3))
  let best: string | undefined
  let bestDistance = limit + 1
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), limit)
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** What to do about a misspelt word: the one that was meant, else what there is. */
export function nearestHint(word: string, candidates: readonly string[], label: string): string {
  const meant = nearest(word, candidates)
  return meant === undefined ? `${label}: ${candidates.join(', ') || 'none yet'}` : `did you mean ${meant}?`
}

/** Levenshtein with adjacent transpositions; `limit + 1` stands for "further". */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let cost = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, beforeLast[column - 2]! + 1)
      }
      current.push(cost)
    }
    beforeLast = last
    last = current
  }
  return last[b.length]!
}
