export interface SpawnRequest {
  /** The program and its arguments, exactly as they will run; no shell. */
  argv: readonly [string, ...string[]]
  cwd: string
  /** The whole environment of the child. */
  env: Record<string, string>
  timeoutMs: number
  /** Kept of stdout and of stderr, each; more is counted and dropped. */
  maxBytes: number
  stdin?: string
  signal?: AbortSignal
}

export type SpawnOutcome =
  | { kind: 'exited'; exitCode: number }
  | { kind: 'killed'; signal: string }
  | { kind: 'timed-out' }
  | { kind: 'not-started'; why: string }

export interface SpawnReply {
  outcome: SpawnOutcome
  stdout: Uint8Array
  stderr: Uint8Array
  /** Before the cap. */
  stdoutBytes: number
  stderrBytes: number
  durationMs: number
}

/** Runs a program in its own process group; at the limit the whole tree is killed and is gone when this resolves. */
export interface Spawn {
  run(request: SpawnRequest): Promise<SpawnReply>
}
