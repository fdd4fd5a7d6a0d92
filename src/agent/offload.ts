import { cutAt, tailOf } from '../core/truncate.ts'

export interface ResultCaps {
  /** Characters (UTF-16 units) that one result may show. */
  perResultChars: number
  /** That all results of one round may show together. */
  perRoundChars: number
  /** Of the model that reads them, in tokens; no result may take more than 30 % of it. */
  windowTokens: number
  /** Keeps a full text and returns where it is, for the model and for people. */
  offload: (text: string) => string
}

export interface CappedResult {
  text: string
  /** Where the full text is; undefined when all of it is shown. */
  fullText: string | undefined
  rawChars: number
}

/** Below this nothing useful is left, so a cut keeps at least this much. */
const leastChars = 2000
const windowShare = 0.3
const charsPerToken = 4

/**
 * The results of one round, cut so that none is large and all together are not.
 * What is cut is kept whole elsewhere, and the gap says how much is missing and where
 * it is: a trimmed output must not look like an empty or a finished one.
 */
export function cappedResults(texts: readonly string[], caps: ResultCaps): CappedResult[] {
  const share = Math.floor(caps.windowTokens * windowShare * charsPerToken)
  const perResult = Math.max(leastChars, Math.min(caps.perResultChars, share))
  const perRound = Math.min(caps.perRoundChars, share * 2)
  const level = fairLevel(
    texts.map(text => Math.min(text.length, perResult)),
    perRound,
  )
  return texts.map(text => capped(text, Math.max(leastChars, Math.min(perResult, level)), caps.offload))
}

/** The height at which the sum of all sizes cut to it just fits: small ones stay whole, large ones share the rest. */
function fairLevel(sizes: readonly number[], budget: number): number {
  const ascending = [...sizes].sort((left, right) => left - right)
  let left = budget
  for (const [index, size] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index))
    if (size > share) return share
    left -= size
  }
  return Number.MAX_SAFE_INTEGER
}

const tailShare = 0.3
const tailMaxChars = 4000

function capped(text: string, maxChars: number, offload: (text: string) => string): CappedResult {
  const rawChars = text.length
  if (rawChars <= maxChars) return { text, fullText: undefined, rawChars }
  const fullText = offload(text)
  const tailChars = Math.min(tailMaxChars, Math.floor(maxChars * tailShare))
  const head = cutAt(text, maxChars - tailChars)
  const tail = tailOf(text, tailChars)
  const missing = rawChars - head.length - tail.length
  const marker = `[... ${missing} of ${rawChars} characters are left out here; the full text is in ${fullText}; ask for less or for a part of it ...]`
  return { text: `${head}\n${marker}\n${tail}`, fullText, rawChars }
}
