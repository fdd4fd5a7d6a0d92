import { isClawError } from '../../../core/claw-error.ts'
import { toIso } from '../../../core/millis.ts'
import { keepWhen, peekWhen } from '../../../records/when.ts'
import { sha256 } from '../../../world/hash.ts'
import { collectStep } from '../gather.ts'
import type { RunContext } from '../open-run.ts'
import { execOf } from '../tools-of-run.ts'
import { type Refusal, skipped } from './refusal.ts'

export interface Woken {
  /** To be called when the run came to a good end: the output that woke it counts as seen. */
  noteWoken: () => void
}

type Checked =
  | { kind: 'yes'; output: string }
  | { kind: 'no'; why: string }
  /** It could not be asked. */
  | { kind: 'unknown'; why: string }

/**
 * The job's `when:` asks a collector or a program, and no model, whether there is
 * anything to do. One that cannot be asked fails the run: silence is not a no.
 */
export async function wakeRefusal(run: RunContext): Promise<Woken | Refusal> {
  const { world, root, agent, job } = run
  const when = job?.when
  if (!job || !when) return { noteWoken: () => {} }
  const checked = when.exec === undefined ? await askCollector(run, when) : await askProgram(run, when.exec)
  if (checked.kind === 'unknown')
    return { ...skipped(`when: ${checked.why}`), state: 'failed', failure: 'other' }
  if (checked.kind === 'no') return skipped(`when: ${checked.why}`)
  if (!when.changed) return { noteWoken: () => {} }
  const hash = sha256(checked.output)
  const before = peekWhen(world.disk, root, { agent, job: job.name })
  if (before?.hash === hash) return skipped(`when: nothing has changed since ${before.at}`)
  const at = toIso(run.startedAt)
  return { noteWoken: () => keepWhen(world, root, { agent, job: job.name }, { hash, at }) }
}

async function askCollector(
  run: RunContext,
  { tool, with: options }: { tool: string | undefined; with: Record<string, unknown> },
): Promise<Checked> {
  try {
    const { items, sources } = await collectStep(run, { tool: tool!, with: options }, neverAborted())
    if (items.length > 0)
      return {
        kind: 'yes',
        output: items.map(({ url, title, hash }) => `${url} ${title} ${hash}`).join('\n'),
      }
    const failed = sources.find(source => source.state === 'failed')
    if (!failed) return { kind: 'no', why: `${tool} found nothing` }
    return {
      kind: 'unknown',
      why: `${tool} could not read ${failed.name}: ${failed.why ?? 'no reason given'}`,
    }
  } catch (error) {
    if (!isClawError(error)) throw error
    return { kind: 'unknown', why: error.message }
  }
}

function neverAborted(): AbortSignal {
  return new AbortController().signal
}

async function askProgram(run: RunContext, command: string): Promise<Checked> {
  const exec = execOf(run)
  if (!exec) return { kind: 'unknown', why: 'exec.security is deny, so no program can be asked' }
  const call = { type: 'toolCall', id: 'when', name: 'exec', arguments: { command } } as const
  const { text, isError, details } = await exec.run({ command }, { signal: neverAborted(), call })
  const outcome = details?.['outcome'] as { kind: string; exitCode?: number } | undefined
  if (outcome?.kind !== 'exited') return { kind: 'unknown', why: `${command}: ${text.split('\n')[0]}` }
  if (isError) return { kind: 'no', why: `${command} ended with exit code ${outcome.exitCode}` }
  return { kind: 'yes', output: text }
}
