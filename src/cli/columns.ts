// oxlint-disable-next-line no-control-regex
const codes = /\u001B\[\d+m/g
// oxlint-disable-next-line no-control-regex
const tokens = /\u001B\[\d+m|[^]/gu

/** Terminal columns of a text: East Asian wide characters take two, codes of style none. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text.replaceAll(codes, '')) width += isWide(character.codePointAt(0)!) ? 2 : 1
  return width
}

function isWide(code: number): boolean {
  return (
    (code >= 0x11_00 && code <= 0x11_5f) ||
    (code >= 0x2e_80 && code <= 0xa4_cf) ||
    (code >= 0xac_00 && code <= 0xd7_a3) ||
    (code >= 0xf9_00 && code <= 0xfa_ff) ||
    (code >= 0xfe_30 && code <= 0xfe_6f) ||
    (code >= 0xff_00 && code <= 0xff_60) ||
    (code >= 0x1_f3_00 && code <= 0x1_fa_ff) ||
    (code >= 0x2_00_00 && code <= 0x3_ff_fd)
  )
}

export function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** The line cut to so many columns; codes of style stay, so that what was switched on is switched off. */
export function fit(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line
  let cut = ''
  let left = columns - 1
  for (const [token] of line.matchAll(tokens)) {
    if (token.startsWith('\u001B')) cut += token
    else if (left >= widthOf(token)) {
      cut += token
      left -= widthOf(token)
    } else if (left >= 0) {
      cut += '…'
      left = -1
    }
  }
  return cut
}
