import type { Terminal } from '../world/terminal.ts'

/** Keeps what was printed. */
export class MemTerminal implements Terminal {
  outText = ''
  errText = ''
  outIsTty = false
  errIsTty = false
  columns = 80
  color = false
  readonly #input: string

  constructor(input = '') {
    this.#input = input
  }

  out(text: string): void {
    this.outText += text
  }

  err(text: string): void {
    this.errText += text
  }

  async readIn(): Promise<string> {
    return this.#input
  }

  clear(): void {
    this.outText = ''
    this.errText = ''
  }
}
