import { jobKey } from '../core/job.ts'
import { toIso } from '../core/millis.ts'
import { estimateTokens } from '../core/tokens.ts'
import { peekClaims } from '../records/slots.ts'
import { resolveChain } from './resolve-models.ts'
import { heldUpReasons } from './run-job/admit/gates.ts'
import { assemble } from './run-job/assemble.ts'
import { assertRunnable } from './run-job/assert-runnable.ts'
import { checkNeeds, degradedOf } from './run-job/check-needs.ts'
import { gather } from './run-job/gather.ts'
import { openRun, type RunContext, type RunSetup } from './run-job/open-run.ts'
import { toolsOfRun } from './run-job/tools-of-run.ts'
import type { PromptPart } from '../agent/prompt.ts'
import type { ToolSpec } from '../agent/model.ts'

export interface DryRun {
  agent: string
  job: string | null
  system: string
  user: string
  parts: PromptPart[]
  tools: ToolSpec[]
  /** Estimated tokens of the first call. */
  tokens: number
  /** The most that the first call can cost on the first model, in US dollars; null when its price is unknown. */
  costBound: number | null
  models: string[]
  /** ISO instant; null for a job without a schedule. */
  nextFire: string | null
  /** Channel that the text would go to. */
  target: string | null
  /** The slot that was asked for, and whether it is free. */
  slot: { at: string; isFree: boolean } | null
  /** Why a scheduled run would not start now. */
  heldUp: string[]
  /** What the run would go without. */
  degraded: string[]
}

/** The same path as a run up to the first call of a model; nothing is written. */
export async function dryRun(setup: RunSetup): Promise<DryRun> {
  const run = await openRun(setup)
  await assertRunnable(run)
  const degraded = degradedOf(run, checkNeeds(run))
  const gathered = await gather(run, new AbortController().signal, degraded)
  const prompt = assemble(run, gathered)
  const tools = toolsOfRun(run).specs
  const { links, unusable } = resolveChain(run.config, run.env, {
    tier: run.job?.tier ?? 'main',
    override: run.request.model,
  })
  for (const { ref, detail } of unusable) run.warn(`${ref} cannot be asked: ${detail}`)
  const tokens =
    estimateTokens(prompt.system) + estimateTokens(prompt.user) + estimateTokens(JSON.stringify(tools))
  const price = links[0]?.price
  return {
    agent: run.agent,
    job: run.job?.name ?? null,
    system: run.mask(prompt.system),
    user: run.mask(prompt.user),
    parts: prompt.parts,
    tools,
    tokens,
    costBound: price ? (tokens * price.in + links[0]!.maxOutput * price.out) / 1e6 : null,
    models: links.map(link => link.ref),
    nextFire: await nextFire(run),
    target: run.job?.deliver?.mode === 'none' ? null : (run.job?.deliver?.to ?? null),
    slot: slotState(run),
    heldUp: await heldUpReasons(run),
    degraded,
  }
}

async function nextFire({ job, timeZone, startedAt }: RunContext): Promise<string | null> {
  const { nextSlots } = await import('../core/cron.ts')
  const next = job?.enabled ? nextSlots(job.schedule, timeZone, startedAt, 1)[0] : undefined
  return next === undefined ? null : toIso(next)
}

function slotState({ world, root, agent, job, slot }: RunContext): DryRun['slot'] {
  if (!job || slot === undefined) return null
  return {
    at: toIso(slot),
    isFree: peekClaims(world.disk, root, { agent, job: job.name, slot }).length === 0,
  }
}

export function dryRunText(plan: DryRun): string {
  const cost = plan.costBound === null ? 'price unknown' : `at most ${plan.costBound.toFixed(4)} USD`
  return [
    '--- system',
    plan.system,
    '',
    '--- user',
    plan.user,
    '',
    '--- plan',
    `job        ${plan.job === null ? `${plan.agent} -m` : jobKey({ agent: plan.agent, name: plan.job })}`,
    `models     ${plan.models.join(', ')}`,
    `tools      ${plan.tools.map(tool => tool.name).join(', ') || 'none'}`,
    `first call about ${plan.tokens} tokens in, ${cost}`,
    `next fire  ${plan.nextFire ?? 'none'}`,
    `target     ${plan.target ?? 'none'}`,
    ...(plan.slot ? [`slot       ${plan.slot.at}, ${plan.slot.isFree ? 'free' : 'claimed already'}`] : []),
    ...plan.heldUp.map(reason => `held up    ${reason}`),
    ...plan.degraded.map(what => `without    ${what}`),
    'no model was called and nothing was written',
  ].join('\n')
}
