/*
 * Weights per UTF-16 unit by script, near what byte-pair vocabularies of 100,000 to
 * 200,000 entries need. Plain prose comes to four characters a token; figures and
 * symbols (JSON, tables) are denser, CJK is three UTF-8 bytes over four, and a
 * pictograph takes about one and a half tokens over its two units.
 */
const perWordUnit = 0.25
const perDigitOrSymbol = 0.4
const perTwoByteUnit = 0.5
const perThreeByteUnit = 0.75
const perSurrogate = 0.75

/** Tokens of a text, within some 20 % for prose, code, JSON and CJK; never zero for a text that is not empty. */
export function estimateTokens(text: string): number {
  let words = 0
  let dense = 0
  let twoByte = 0
  let threeByte = 0
  let surrogates = 0
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) {
      if (isWordUnit(unit)) words += 1
      else dense += 1
    } else if (unit < 0x800) twoByte += 1
    else if (unit >= 0xd800 && unit < 0xe000) surrogates += 1
    else threeByte += 1
  }
  return Math.ceil(
    words * perWordUnit +
      dense * perDigitOrSymbol +
      twoByte * perTwoByteUnit +
      threeByte * perThreeByteUnit +
      surrogates * perSurrogate,
  )
}

/** A letter, or white space. */
function isWordUnit(unit: number): boolean {
  const lower = unit | 0x20
  return unit <= 0x20 || (lower >= 0x61 && lower <= 0x7a)
}
