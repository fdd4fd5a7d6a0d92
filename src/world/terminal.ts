export interface Terminal {
  out(text: string): void
  err(text: string): void
  outIsTty: boolean
  errIsTty: boolean
  /** Columns of the terminal; 80 where there is none. */
  columns: number
  /** False with NO_COLOR, TERM=dumb or no TTY. */
  color: boolean
  /** All of stdin; read only when a command was given `-`. */
  readIn(): Promise<string>
}
