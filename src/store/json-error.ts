/** Where a text stops being JSON, from 1. */
export interface TextPlace {
  line: number
  column: number
}

/**
 * The place of the first mistake, or undefined when the text is JSON. What the
 * engine itself tells differs by version and often names no place.
 */
export function jsonMistake(text: string): TextPlace | undefined {
  const at = new Scan(text).mistake()
  return at === undefined ? undefined : placeAt(text, at)
}

export function placeAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - (before.lastIndexOf('\n') + 1) + 1 }
}

const text = '"(?:[^"\\\\\\u0000-\\u001f]|\\\\(?:["\\\\/bfnrt]|u[0-9a-fA-F]{4}))*"'
const number = '-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?'
const scalar = new RegExp(`${text}|${number}|true|false|null`, 'y')
const key = new RegExp(text, 'y')
const space = /[ \t\r\n]*/y

class Scan {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  mistake(): number | undefined {
    this.#take(space)
    const isValue = this.#value(0)
    this.#take(space)
    return isValue && this.#at === this.#text.length ? undefined : this.#at
  }

  #value(depth: number): boolean {
    if (depth > 1000) return false
    if (this.#char('{')) return this.#list('}', () => this.#member(depth + 1))
    if (this.#char('[')) return this.#list(']', () => this.#value(depth + 1))
    return this.#take(scalar)
  }

  #member(depth: number): boolean {
    if (!this.#take(key)) return false
    this.#take(space)
    if (!this.#char(':')) return false
    this.#take(space)
    return this.#value(depth)
  }

  #list(closer: string, item: () => boolean): boolean {
    this.#take(space)
    if (this.#char(closer)) return true
    for (;;) {
      if (!item()) return false
      this.#take(space)
      if (this.#char(closer)) return true
      if (!this.#char(',')) return false
      this.#take(space)
    }
  }

  #char(char: string): boolean {
    if (this.#text[this.#at] !== char) return false
    this.#at++
    return true
  }

  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found !== null) this.#at = pattern.lastIndex
    return found !== null
  }
}
