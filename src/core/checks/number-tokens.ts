/** A number as a text writes it. */
export interface NumberToken {
  /** As written, with its sign and unit. */
  text: string
  /** Without sign, without unit: 3.2 of `3.2k`. */
  plain: number
  /** With its unit: 3200 of `3.2k`; equal to `plain` where there is none. */
  scaled: number
  /** What one more in the last written digit means, after scaling. */
  step: number
  hasUnit: boolean
  sign: '+' | '-' | ''
  at: number
}

const units: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  千: 1e3,
  万: 1e4,
  萬: 1e4,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
  亿: 1e8,
  億: 1e8,
  t: 1e12,
  trillion: 1e12,
}

const unitNames = Object.keys(units)
  .sort((a, b) => b.length - a.length)
  .join('|')
const token = new RegExp(
  String.raw`(\d{1,3}(?:[,'\u00A0\u202F]\d{3})+(?!\d)|\d+)(\.\d+)?(?:[ \u00A0]?(${unitNames})(?![A-Za-z]))?`,
  'gi',
)

/** All numbers, also those inside words such as `GPT-5.4`. Digits of every script are read as plain ones. */
export function numberTokens(text: string): NumberToken[] {
  const plainText = text.normalize('NFKC').replace(/(?![0-9])\p{Nd}/gu, plainDigit)
  return [...plainText.matchAll(token)].map(match => {
    const [whole, digits = '', fraction = '', unit] = match
    const plain = Number(digits.replace(/[^\d]/g, '') + fraction)
    const factor = unit === undefined ? 1 : (units[unit.toLowerCase()] ?? 1)
    const step = factor / 10 ** Math.max(0, fraction.length - 1)
    const sign = signBefore(plainText, match.index)
    return {
      text: sign + whole.trim(),
      plain,
      scaled: plain * factor,
      step,
      hasUnit: unit !== undefined,
      sign,
      at: match.index,
    }
  })
}

/** The digits of a script stand in a row that begins with its zero, at a place that ends in 0 or 6. */
function plainDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const row = code - (code % 16)
  return String((/\p{Nd}/u.test(String.fromCodePoint(row)) ? code - row : code - row - 6) % 10)
}

/** A minus is one only where a word could start: not in `GPT-5`, `2024-11` or `3-4`. */
function signBefore(text: string, at: number): '+' | '-' | '' {
  const before = text.slice(Math.max(0, at - 3), at).replace(/[$€£¥]$/, '')
  const match = /(^|[\s(（:：,，|=~≈])([+\u2212\u2013-])$/.exec(before)
  if (!match) return ''
  return match[2] === '+' ? '+' : '-'
}
