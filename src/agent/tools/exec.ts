import { type Argv, checkArgv, parseCommand } from '../../core/argv.ts'
import { decideExec, type ExecPolicy } from '../../core/exec-policy.ts'
import { gitEnv } from '../../core/exec-git.ts'
import type { FileOps } from '../../core/file-ops.ts'
import type { Spawn, SpawnReply } from '../../world/spawn.ts'
import type { Tool, ToolResult } from '../tool.ts'
import { numberArg, textArg, textsArg } from './arguments.ts'
import { execText } from './exec-text.ts'
import { denial, failure } from './result.ts'

export interface ExecOps {
  spawn: Spawn
  policy: ExecPolicy
  files: Pick<FileOps, 'checkReal'>
  /** Absolute path of the workspace. */
  root: string
  agent: string
  /** The agent's folder, absolute: where programs run. */
  cwd: string
  /** PATH and HOME of the host; nothing else of its environment reaches a program. */
  host: { path: string; home: string }
  timeoutMs: number
  /** Kept of each stream for the full text. */
  maxBytes: number
  /** Shown to the model, in characters. */
  shownChars?: number
  /** Keeps a full text and says where. */
  offload: (text: string) => string
}

const defaultShownChars = 16_000

export function execTool(ops: ExecOps): Tool {
  return {
    name: 'exec',
    description: 'Run one program from the list of allowed commands in your folder; no shell, no pipes.',
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1, description: 'e.g. git status --short' },
        argv: {
          type: 'array',
          items: { type: 'string' },
          minItems: 1,
          description: 'The same as a list, in place of command',
        },
        timeoutSeconds: { type: 'integer', minimum: 1, maximum: 3600 },
      },
      additionalProperties: false,
    },
    hasEffect: true,
    async run(args, { signal }) {
      const planned = planCommand(args, ops)
      if (!('argv' in planned)) return planned
      const seconds = numberArg(args, 'timeoutSeconds')
      const timeoutMs = Math.min(ops.timeoutMs, seconds === undefined ? ops.timeoutMs : seconds * 1000)
      const { argv } = planned
      const reply = await ops.spawn.run({
        argv,
        cwd: ops.cwd,
        env: cleanEnv(ops),
        timeoutMs,
        maxBytes: ops.maxBytes,
        signal,
      })
      return replyResult(ops, argv, { reply, timeoutMs })
    },
  }
}

/** Parsed once; exactly what comes back here runs. */
function planCommand(args: Record<string, unknown>, ops: ExecOps): { argv: Argv } | ToolResult {
  const list = textsArg(args, 'argv')
  const line = textArg(args, 'command')
  if ((list === undefined) === (line === '')) return failure('give either command or argv')
  const parsed = list ? checkArgv(list) : parseCommand(line)
  if (parsed.kind === 'refused') return denial(parsed.why, parsed.reason)
  const decision = decideExec(parsed.argv, ops.policy, { root: ops.root, agent: ops.agent })
  if (decision.kind === 'refused') return denial(decision.why, decision.reason)
  for (const path of decision.paths) {
    const refused = path === '' ? undefined : ops.files.checkReal(path)
    const isLink = refused && leadsAway.has(refused.reason)
    if (isLink) return denial(refused.why, refused.reason)
  }
  return { argv: decision.argv }
}

/** Only where a link leads counts here: an operand need not be a path at all. */
const leadsAway: ReadonlySet<string> = new Set(['outside', 'secret', 'dangling-link'])

function cleanEnv({ host, root }: ExecOps): Record<string, string> {
  const folders = host.path
    .split(':')
    .filter(folder => folder.startsWith('/') && folder !== root && !folder.startsWith(`${root}/`))
  return {
    PATH: folders.length === 0 ? '/usr/bin:/bin' : folders.join(':'),
    HOME: host.home,
    LANG: 'C.UTF-8',
    CLAW_SHELL: 'exec',
    ...gitEnv,
  }
}

function replyResult(
  ops: ExecOps,
  argv: Argv,
  { reply, timeoutMs }: { reply: SpawnReply; timeoutMs: number },
): ToolResult {
  const { text, isCut, ref } = execText(reply, {
    shownChars: ops.shownChars ?? defaultShownChars,
    offload: ops.offload,
  })
  const { outcome, durationMs, stdoutBytes, stderrBytes } = reply
  const details = {
    argv: [...argv],
    outcome,
    durationMs,
    stdoutBytes,
    stderrBytes,
    isCut,
    ...(ref !== undefined && { fullText: ref }),
  }
  const result = (head: string, isError: boolean): ToolResult => ({
    text: [head, text].filter(part => part !== '').join('\n'),
    isError,
    provenance: 'program',
    details,
  })
  switch (outcome.kind) {
    case 'exited':
      if (outcome.exitCode === 0) return result(text === '' ? '(no output)' : '', false)
      return result(`exit code ${outcome.exitCode}`, true)
    case 'timed-out':
      return result(
        `timed out after ${timeoutMs / 1000} s and was killed: outcome unknown, check first before running it again`,
        true,
      )
    case 'killed':
      return result(`killed by ${outcome.signal}: outcome unknown, check first before running it again`, true)
    case 'not-started':
      return result(`${argv[0]} could not be started: ${outcome.why}`, true)
  }
}
