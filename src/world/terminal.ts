export interface Terminal {
  out(text: string): void
  err(text: string): void
  outIsTty: boolean
  errIsTty: boolean
  /** Columns of the terminal; 80 where there is none. */
  columns: number
  /** False with NO_COLOR, TERM=dumb or no TTY. */
  color: boolean
  /** The errno of a stdout that could not be written (a full disk, a terminal that hung up); undefined while it can. */
  readonly outFault?: string | undefined
  /** Resolves when all that was printed has left this process; what a pipe has not taken yet would be lost with it. */
  flushed?(): Promise<void>
  /** All of stdin; read only when a command was given `-`. */
  readIn(): Promise<string>
}
