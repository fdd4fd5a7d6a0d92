import { neutral } from '../core/neutral.ts'
import { wellFormed } from '../core/well-formed.ts'
import type { Terminal } from '../world/terminal.ts'
import { fit, pad } from './columns.ts'
import { fittingColumns, type NarrowTable } from './narrow-table.ts'

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'green'

const codes: Record<Style, [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  yellow: [33, 39],
  green: [32, 39],
}

// oxlint-disable-next-line no-control-regex
const ownCodes = /(\u001B\[(?:1|2|22|31|32|33|39)m)/

/** The one printer: stdout carries one result, stderr is for people. Text from outside is made safe for a terminal. */
export class Out {
  readonly #terminal: Terminal
  readonly #json: boolean
  readonly #quiet: boolean

  constructor(terminal: Terminal, { json, quiet }: { json: boolean; quiet: boolean }) {
    this.#terminal = terminal
    this.#json = json
    this.#quiet = quiet
  }

  /** One JSON document with `--json`, else the text. */
  result(value: unknown, text: string): void {
    const shown = this.#json ? jsonText(value) : this.#neutralStyled(text)
    if (shown !== '') this.#terminal.out(`${shown}\n`)
  }

  /** Progress and remarks, on stderr; silent with `--quiet`. */
  note(line: string): void {
    if (!this.#quiet) this.#terminal.err(`${this.style('dim', neutral(line), true)}\n`)
  }

  /** On stderr, also with `--quiet`. */
  warn(line: string): void {
    this.#terminal.err(`${this.style('yellow', 'warning:', true)} ${neutral(line)}\n`)
  }

  error(line: string, hint?: string): void {
    this.#terminal.err(`${this.style('red', 'claw:', true)} ${neutral(line)}\n`)
    if (hint) this.#terminal.err(`${neutral(`  ${hint}`)}\n`)
  }

  /** Colours only on a terminal. */
  style(style: Style, text: string, onErr = false): string {
    const isTty = onErr ? this.#terminal.errIsTty : this.#terminal.outIsTty
    if (!this.#terminal.color || !isTty) return text
    const [on, off] = codes[style]
    return `\u001B[${on}m${text}\u001B[${off}m`
  }

  /** Of the terminal; without end where stdout is none. */
  get columns(): number {
    return this.#terminal.outIsTty ? this.#terminal.columns : Number.POSITIVE_INFINITY
  }

  /** Columns wide enough for their cells; the last one takes what the terminal leaves. */
  table(rows: readonly (readonly string[])[], head?: readonly string[], narrow: NarrowTable = {}): string {
    const all = (head ? [head, ...rows] : [...rows]).map(row => row.map(cell => this.#neutralStyled(cell)))
    const columns = fittingColumns(all, this.columns, narrow)
    return all
      .map((row, index) => {
        const line = columns
          .map(({ at, width }, order) => {
            const cell = fit(row[at] ?? '', width)
            return order === columns.length - 1 ? cell : pad(cell, width)
          })
          .join('  ')
        const cut = fit(line, this.columns)
        return head && index === 0 ? this.style('bold', cut) : cut
      })
      .join('\n')
  }

  /** Keeps what `style` puts in, and nothing else that a terminal obeys. */
  #neutralStyled(text: string): string {
    if (!this.#terminal.color || !this.#terminal.outIsTty) return neutral(text)
    return text
      .split(ownCodes)
      .map((part, index) => (index % 2 === 1 ? part : neutral(part)))
      .join('')
  }
}

/** Characters that a terminal obeys or that reorder a line, as escapes; lone surrogates, which other readers refuse, as U+FFFD. */
function jsonText(value: unknown): string {
  const json = JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === 'string' ? wellFormed(member) : member),
    2,
  )
  return json.replace(
    /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
