/**
 * Words as one name by the rules of DNS-1123: lower-case letters, digits and
 * dashes. Where a word had to be changed, or the whole is cut to `maxLength`, a
 * piece of the digest of the true words keeps the name single.
 */
export function unitName(
  words: readonly string[],
  { maxLength, digest }: { maxLength: number; digest: (text: string) => string },
): string {
  const joined = words.join('-')
  const isPlain =
    words.slice(0, -1).every(word => /^[a-z0-9]+$/.test(word)) &&
    /^[a-z0-9]+(-[a-z0-9]+)*$/.test(words.at(-1) ?? '')
  if (isPlain && joined.length <= maxLength) return joined
  const tail = `-${digest(words.join('\n')).slice(0, 8)}`
  const slug = joined
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
  return `${slug.slice(0, maxLength - tail.length).replace(/-+$/, '')}${tail}`
}
