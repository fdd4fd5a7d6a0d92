/** A file below this many characters may shrink freely. */
const freeChars = 200

/**
 * True when `after` keeps less than half of a MEMORY.md: that is how a model
 * that saw a cut text, or a half-saved file, destroys what was learnt.
 */
export function isSuspiciousShrink(path: string, before: string | undefined, after: string): boolean {
  if (before === undefined || !/(^|\/)memory\.md$/i.test(path)) return false
  return before.length > freeChars && after.length < before.length / 2
}
