import { contractOf } from '../../core/job.ts'
import { retryClasses, type RunFailure } from '../../core/retry.ts'
import type { FileChange, RunState } from '../../core/run.ts'
import { silentToken } from '../../core/silent.ts'
import type { Gathered } from './gather.ts'
import { pathNames, type RunContext } from './open-run.ts'
import { productPaths, productText, writtenText } from './product.ts'
import type { Conversation } from './think.ts'

/** What came of the exchange: a text that keeps its contract, or a state with its reason. */
export interface Verdict {
  state: RunState
  /** One line. */
  reason: string
  /** Null for a good end. */
  failure: RunFailure | null
  text: string
}

interface CheckInput {
  gathered: Gathered
  conversation: Conversation
}

/** The output contract. A text that breaks it is sent back once with what is wrong, then the run is `rejected`. */
export async function check(run: RunContext, { gathered, conversation }: CheckInput): Promise<Verdict> {
  const first = await judge(run, gathered, conversation)
  if (first.state !== 'rejected' || !canBeCorrected(conversation)) return first
  run.note(`not accepted, asking once more: ${first.reason}`)
  await conversation.say(nudgeText(first.problems))
  const second = await judge(run, gathered, conversation)
  if (second.state === 'ok' || (second.state === 'rejected' && second.text.trim() !== '')) return second
  // A correction that fails for another cause leaves the first text as the one to keep aside.
  return { ...first, reason: `${first.reason}; then ${second.reason || second.state}` }
}

interface Judged extends Verdict {
  problems: string[]
}

async function judge(
  run: RunContext,
  gathered: Gathered,
  { outcome, tools, files, fallbacks }: Conversation,
): Promise<Judged> {
  const end = (state: RunState, rest: Partial<Judged> = {}): Judged => ({ ...noEnd, state, ...rest })
  if (outcome.kind === 'timed-out')
    return end('timed_out', {
      reason: 'no answer within the time limit',
      failure: 'timeout',
      text: outcome.partial,
    })
  if (outcome.kind === 'failed')
    return end(outcome.why === 'empty' ? 'rejected' : 'failed', {
      reason: `${outcome.why}: ${run.mask(outcome.detail)}`,
      failure: failureOf(outcome.why),
      text: outcome.partial,
    })
  if (outcome.link?.api === 'offline' && gathered.items.length === 0)
    return end('failed', {
      reason: gathered.sources.length > 0 ? nothingGatheredReason(gathered) : noModelReason(fallbacks),
      failure: fallbacks.length > 0 ? failureOf(fallbacks.at(-1)!.why) : 'nothing-gathered',
    })
  const text = productText(run, outcome, files)
  const token = silentToken(text)
  if (run.job?.silent && (token ?? outcome.silent)) return end('silent')
  if (token) return { ...rejected([`answered ${token}, but this job may not be silent`]), text: '' }
  const problems =
    text.trim() === '' ? ['the text is empty'] : await problemsOf(run, gathered, { text, files })
  if (problems.length > 0 && outcome.link?.api === 'offline')
    return {
      ...rejected([
        `${noAnswerReason(fallbacks)}; of the offline text: ${problems[0]}`,
        ...problems.slice(1),
      ]),
      text,
    }
  if (problems.length > 0) return { ...rejected(problems), text }
  const denied = tools.filter(call => call.denied).map(call => call.name)
  return end('ok', { reason: denied.length > 0 ? `tools denied: ${denied.join(', ')}` : '', text })
}

const noEnd: Omit<Judged, 'state'> = { reason: '', failure: null, text: '', problems: [] }

function failureOf(why: string): RunFailure {
  return (retryClasses as readonly string[]).includes(why) ? (why as RunFailure) : 'other'
}

function rejected(problems: string[]): Omit<Judged, 'text'> {
  return { state: 'rejected', reason: summaryOf(problems), failure: 'rejected', problems }
}

/** Which of the sources failed, or that what they had was left out: a model would not help. */
function nothingGatheredReason({ sources, notes }: Gathered): string {
  const failed = sources.filter(source => source.state === 'failed')
  if (failed.length === sources.length) {
    const first = failed[0]
    return `nothing was gathered: 0 of ${sources.length} sources could be read (${first?.name}: ${first?.why ?? 'no reason given'})`
  }
  const left = notes.filter(note => note.startsWith('left out:'))
  return `nothing was gathered from ${sources.length - failed.length} sources that could be read${left.length > 0 ? `; ${left.join('; ')}` : ''}`
}

/** The offline link can quote what was gathered; with nothing gathered it has no answer, and that is no success. */
function noModelReason(fallbacks: Conversation['fallbacks']): string {
  const hint = fallbacks.length === 0 ? '; name one in claw.yaml' : ''
  return `${noAnswerReason(fallbacks)}, and nothing was gathered that could be quoted${hint}`
}

function noAnswerReason(fallbacks: Conversation['fallbacks']): string {
  const last = fallbacks.at(-1)
  if (!last) return 'no model is configured'
  return `no model answered (${fallbacks.length} tried, last ${last.ref}: ${last.why})`
}

/** The offline link says the same each time, and a run that is out of time says nothing more. */
function canBeCorrected({ outcome }: Conversation): boolean {
  return outcome.kind === 'answered' && outcome.link?.api !== 'offline'
}

async function problemsOf(
  run: RunContext,
  gathered: Gathered,
  { text, files }: { text: string; files: readonly FileChange[] },
): Promise<string[]> {
  if (!run.job) return []
  const { runChecks } = await import('../../core/checks/run-checks.ts')
  const { canonicalUrl } = await import('../../core/canonical-url.ts')
  const context = {
    evidence: gathered.items,
    remarks: [...gathered.notes, ...gathered.sources.flatMap(({ name, why }) => [name, why ?? ''])],
    canonical: canonicalUrl,
    names: pathNames(run),
  }
  const others = productPaths(run)
    .slice(1)
    .flatMap((path, index) => {
      const written = writtenText(run, path, files)
      if (written === undefined) return [`${path} was not written`]
      const spec = run.job?.produces[index + 1]?.check ?? {}
      return runChecks(spec, written, context).map(problem => `${path}: ${problem}`)
    })
  return [...runChecks(contractOf(run.job), text, context), ...others]
}

function summaryOf(problems: readonly string[]): string {
  const more = problems.length > 3 ? ` and ${problems.length - 3} more` : ''
  return problems.slice(0, 3).join('; ') + more
}

function nudgeText(problems: readonly string[]): string {
  const list = problems.slice(0, 20).map(problem => `- ${problem}`)
  return [
    'A program checked your text and did not accept it:',
    ...list,
    '',
    'Send the whole text again, corrected, and nothing else.',
  ].join('\n')
}
