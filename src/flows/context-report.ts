import type { PromptPart } from '../agent/prompt.ts'
import type { JsonSchema } from '../core/json-schema.ts'
import { estimateTokens } from '../core/tokens.ts'
import { transcriptOf, sessionKey } from '../core/session.ts'
import { openSession } from '../records/sessions.ts'
import type { RunPorts } from './ports.ts'
import type { World } from '../world/world.ts'
import { resolveChain } from './resolve-models.ts'
import { assemble } from './run-job/assemble.ts'
import { openRun } from './run-job/open-run.ts'
import { toolsOfRun } from './run-job/tools-of-run.ts'

export interface ContextReport {
  agent: string
  job: string | null
  parts: PromptPart[]
  tools: { name: string; chars: number; tokens: number; schema: JsonSchema }[]
  history: { messages: number; tokens: number }
  tokens: number
  /** Tokens of the first model's window. */
  window: number
  budget: { perFileChars: number; totalChars: number }
  warnings: string[]
  system: string
  user: string
}

/** Where every token goes before a call; what a job would gather is not gathered here. Reads only. */
export async function contextReport(
  world: World,
  root: string,
  { agent, job, ports }: { agent: string; job: string | undefined; ports: RunPorts },
): Promise<ContextReport> {
  const request = {
    agent,
    live: false,
    dryRun: true,
    ...(job === undefined ? { message: '(what you say)' } : { job }),
  }
  const silent = (): void => undefined
  const run = await openRun({ world, root, ports, request, note: silent, warn: silent })
  const prompt = assemble(run, { items: [], sources: [], notes: [], blob: null })
  const tools = toolsOfRun(run).specs.map(spec => {
    const text = JSON.stringify(spec)
    return { name: spec.name, chars: text.length, tokens: estimateTokens(text), schema: spec.parameters }
  })
  const kind = run.job?.session ?? 'main'
  const session =
    kind === 'isolated' ? undefined : openSession({ world, root, agent, key: sessionKey(agent, kind, job) })
  const messages = session ? transcriptOf(session.branch) : []
  const history = {
    messages: messages.length,
    tokens: messages.reduce((sum, message) => sum + estimateTokens(JSON.stringify(message.content)), 0),
  }
  const { links } = resolveChain(run.config, run.env, { tier: run.job?.tier ?? 'main' })
  const userTokens = estimateTokens(prompt.user)
  const task: PromptPart = {
    name: 'task',
    path: run.job?.file ?? '',
    rawChars: prompt.user.length,
    chars: prompt.user.length,
    tokens: userTokens,
    state: 'ok',
  }
  const parts = [...prompt.parts, task]
  const sum = (rows: readonly { tokens: number }[]): number =>
    rows.reduce((total, row) => total + row.tokens, 0)
  return {
    agent,
    job: job ?? null,
    parts,
    tools,
    history,
    tokens: sum(parts) + sum(tools) + history.tokens,
    window: links[0]?.window ?? 0,
    budget: run.config.bootstrap,
    warnings: prompt.warnings,
    system: run.mask(prompt.system),
    user: run.mask(prompt.user),
  }
}
