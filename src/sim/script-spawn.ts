import type { Spawn, SpawnOutcome, SpawnReply, SpawnRequest } from '../world/spawn.ts'

export interface ScriptedExit {
  /** Default: exited with 0. */
  outcome?: SpawnOutcome
  stdout?: string
  stderr?: string
  durationMs?: number
}

export type SpawnScript = (request: SpawnRequest) => ScriptedExit | Promise<ScriptedExit>

/** Programs as a function. Keeps what was run. */
export class ScriptSpawn implements Spawn {
  readonly requests: SpawnRequest[] = []
  readonly #script: SpawnScript

  /** Without a script no program is installed. */
  constructor(script: SpawnScript = notInstalled) {
    this.#script = script
  }

  async run(request: SpawnRequest): Promise<SpawnReply> {
    this.requests.push(request)
    const { outcome, stdout = '', stderr = '', durationMs = 0 } = await this.#script(request)
    const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)]
    return {
      outcome: outcome ?? { kind: 'exited', exitCode: 0 },
      stdout: out.subarray(0, request.maxBytes),
      stderr: err.subarray(0, request.maxBytes),
      stdoutBytes: out.length,
      stderrBytes: err.length,
      durationMs,
    }
  }
}

function notInstalled({ argv: [program] }: SpawnRequest): ScriptedExit {
  return { outcome: { kind: 'not-started', why: `ENOENT: ${program}` } }
}
