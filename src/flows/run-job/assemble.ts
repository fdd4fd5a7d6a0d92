import { assembleSystem, harnessTail, materialText, type Prompt } from '../../agent/prompt.ts'
import { contractOf } from '../../core/job.ts'
import { readBootstrap } from '../../records/bootstrap.ts'
import type { Gathered } from './gather.ts'
import type { RunContext } from './open-run.ts'
import { toolNames } from './tools-of-run.ts'

export interface AssembledPrompt extends Prompt {
  /** The first user message: what was gathered, then the job or what was said. */
  user: string
}

/** Half of the prompt budget again for what was gathered: a digest of 45 items fits. */
const materialShare = 0.5

/** Rules first, then files, date and weekday, then material and task; every cut is marked and told. */
export function assemble(run: RunContext, gathered: Gathered): AssembledPrompt {
  const { world, root, agent, job, config } = run
  const withHeartbeat = job?.tier === 'heartbeat'
  const tail = harnessTail({
    agent,
    job: job?.name,
    local: run.local,
    timeZone: run.timeZone,
    canBeSilent: job?.silent ?? false,
    toolNames: toolNames(run),
  })
  const prompt = assembleSystem(
    readBootstrap(world.disk, root, agent, { withHeartbeat }),
    config.bootstrap,
    tail,
  )
  for (const warning of prompt.warnings) run.warn(warning)
  const material = materialText(gathered.items, gathered.sources, {
    notes: gathered.notes,
    maxChars: Math.floor(config.bootstrap.totalChars * materialShare),
  })
  const task = [job?.prompt, run.request.message?.trim()].filter(Boolean).join('\n\n')
  const hasMaterial = gathered.sources.length > 0 || gathered.notes.length > 0
  const user = hasMaterial ? `${material.text}\n\n${task}${contractText(run)}` : `${task}${contractText(run)}`
  return { ...prompt, user }
}

/** The contract, so that a model need not guess what will be checked. */
function contractText({ job }: RunContext): string {
  const lines = Object.entries(contractOf(job)).map(
    ([name, argument]) => `- ${name}: ${JSON.stringify(argument)}`,
  )
  return lines.length > 0 ? `\n\nYour text is checked by a program for:\n${lines.join('\n')}` : ''
}
