/** Lone halves of a surrogate pair become U+FFFD: one of them in a request is a 400 from every provider. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
