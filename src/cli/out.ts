import { neutral } from '../core/neutral.ts'
import type { Terminal } from '../world/terminal.ts'

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green'

const codes: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
}

/** The one printer: stdout carries one result, stderr is for people. Text from outside is made safe for a terminal. */
export class Out {
  readonly #terminal: Terminal
  readonly #json: boolean
  readonly #quiet: boolean
  readonly #mask: (text: string) => string

  constructor(
    terminal: Terminal,
    { json, quiet }: { json: boolean; quiet: boolean },
    mask = (text: string) => text,
  ) {
    this.#terminal = terminal
    this.#json = json
    this.#quiet = quiet
    this.#mask = mask
  }

  /** One JSON document with `--json`, else the text. */
  result(value: unknown, text: string): void {
    const shown = this.#json ? JSON.stringify(value, null, 2) : neutral(text)
    if (shown !== '') this.#terminal.out(`${this.#mask(shown)}\n`)
  }

  /** Progress and remarks, on stderr; silent with `--quiet`. */
  note(line: string): void {
    if (!this.#quiet) this.#terminal.err(`${this.#mask(this.style('dim', neutral(line), true))}\n`)
  }

  /** On stderr, also with `--quiet`. */
  warn(line: string): void {
    this.#terminal.err(`${this.#mask(`${this.style('yellow', 'warning:', true)} ${neutral(line)}`)}\n`)
  }

  error(line: string, hint?: string): void {
    this.#terminal.err(`${this.#mask(`${this.style('red', 'claw:', true)} ${neutral(line)}`)}\n`)
    if (hint) this.#terminal.err(`${this.#mask(neutral(`  ${hint}`))}\n`)
  }

  /** Colours only on a terminal. */
  style(style: Style, text: string, onErr = false): string {
    const isTty = onErr ? this.#terminal.errIsTty : this.#terminal.outIsTty
    if (!this.#terminal.color || !isTty) return text
    const [on, off] = codes[style]
    return `\u001B[${on}m${text}\u001B[${off}m`
  }

  /** Columns wide enough for their cells; the last one takes what the terminal leaves. */
  table(rows: readonly (readonly string[])[], head?: readonly string[]): string {
    const all = (head ? [head, ...rows] : [...rows]).map(row => row.map(cell => neutral(cell)))
    const widths = (all[0] ?? []).map((_, column) => Math.max(...all.map(row => widthOf(row[column] ?? ''))))
    return all
      .map((row, index) => {
        const line = row
          .map((cell, column) => pad(cell, column === row.length - 1 ? 0 : widths[column]!))
          .join('  ')
        const cut = this.#terminal.outIsTty ? fit(line, this.#terminal.columns) : line
        return head && index === 0 ? this.style('bold', cut) : cut
      })
      .join('\n')
  }
}

/** Terminal columns of a text: East Asian wide characters take two. */
function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += isWide(character.codePointAt(0)!) ? 2 : 1
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

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

function fit(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line
  let cut = ''
  let width = 0
  for (const character of line) {
    width += widthOf(character)
    if (width > columns - 1) break
    cut += character
  }
  return `${cut}…`
}
