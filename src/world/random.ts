export interface Random {
  /** Lower-case hex, `length` characters. */
  hex(length: number): string
  /** RFC 9562 version 7, so that ids sort by time. */
  uuid(): string
  /** In [0, 1). */
  fraction(): number
}
