import { join, relative } from 'node:path'
import { chunkMessage } from '../../core/chunk.ts'
import { isClawError } from '../../core/claw-error.ts'
import { jobKey } from '../../core/job.ts'
import { toIso } from '../../core/millis.ts'
import { isBad, type RunRecord, runRecord } from '../../core/run.ts'
import { recordEvent } from '../../records/events.ts'
import { enqueue } from '../../records/outbox.ts'
import { keptAsideDir } from '../../records/paths.ts'
import { findRun } from '../../records/runs.ts'
import type { Session } from '../../records/sessions.ts'
import { recordSpending } from '../../records/spend.ts'
import { replaceFile } from '../../store/atomic-file.ts'
import { slotStamp } from '../../store/stamp.ts'
import { openNamedChannel } from '../deliver.ts'
import { recordOutcome } from '../record-outcome.ts'
import type { Admission, Refusal } from './admit.ts'
import type { Verdict } from './check.ts'
import type { Gathered } from './gather.ts'
import type { RunContext } from './open-run.ts'
import { recordAsPushed } from './pushed.ts'
import type { Conversation } from './think.ts'
import { writeProduct } from './write-product.ts'

type RecordedPart = Pick<
  RunRecord,
  | 'run'
  | 'agent'
  | 'job'
  | 'slot'
  | 'state'
  | 'reason'
  | 'model'
  | 'evidence'
  | 'usage'
  | 'durationMs'
  | 'fallbacks'
  | 'degraded'
  | 'keptAside'
  | 'session'
>

/** What `run --json` prints. */
export interface RunReport extends RecordedPart {
  text: string
  files: string[]
  delivery: { id: string; channel: string; state: string }[]
}

interface SettleInput {
  admission: Extract<Admission, { kind: 'admitted' }>
  gathered: Gathered
  conversation: Conversation
  verdict: Verdict
}

/**
 * Files, outbox, then the run's record, which is the commit point: a crash before
 * it leaves a run that is repeated, and its delivery key keeps it single.
 */
export async function settle(
  run: RunContext,
  { admission, gathered, conversation, verdict }: SettleInput,
): Promise<RunReport> {
  for (const lease of admission.leases) lease.assertHeld()
  const { outcome, files, session, usage, tools, fallbacks } = conversation
  const isGood = verdict.state === 'ok'
  const text = run.mask(verdict.text)
  const product = isGood ? writeProduct(run, text, files) : undefined
  const keptAside = isBad(verdict.state) && text.trim() !== '' ? keepAside(run, text) : null
  const deliveries = isGood ? await enqueueText(run, admission.origin, text) : []
  const model = outcome.link?.ref ?? null
  if (usage.cost !== null && usage.cost > 0) {
    await recordSpending(run.world, run.root, run.local.date, {
      ...names(run),
      run: run.run,
      model: model ?? '?',
      cost: usage.cost,
    })
  }
  const record = runRecord(headOf(run, admission.origin), {
    state: verdict.state,
    reason: run.mask(verdict.reason),
    failure: verdict.failure,
    model,
    fallbacks,
    usage,
    files,
    evidence: evidenceOf(gathered),
    deliveries: deliveries.map(({ id }) => id),
    session: session.id,
    tools,
    degraded: admission.degraded,
    keptAside,
  })
  await recordOutcome(run, record)
  if (isGood) await recordAsPushed(run, gathered)
  if (!isBad(verdict.state)) admission.noteGoodEnd()
  await noteSession(run, session, {
    status: verdict.state,
    ...(model && { model }),
    ...(product && { lastProduct: product }),
  })
  return reportOf(record, text, deliveries)
}

/** An index that cannot be read is set aside and told; the run is recorded, and its delivery goes on. */
async function noteSession(run: RunContext, session: Session, extra: Record<string, unknown>): Promise<void> {
  try {
    await session.index(extra)
  } catch (error) {
    if (!isClawError(error, 'corrupt')) throw error
    run.warn(error.message)
  }
}

/** A run that may not start leaves its record with the reason, and nothing else. */
export async function settleRefusal(
  run: RunContext,
  { state, reason, failure, isRecorded }: Refusal,
): Promise<RunReport> {
  const record = runRecord(headOf(run, run.run), { state, reason, failure })
  if (isRecorded) await recordOutcome(run, record)
  return reportOf(record, '', [])
}

/** A problem that ends a run (e.g. a configuration that lacks something) is recorded, unless the run's record is there already. */
export async function settleFailure(run: RunContext, origin: string, error: Error): Promise<void> {
  if (findRun(run.world.disk, run.root, run.agent, run.run)) return
  const record = runRecord(headOf(run, origin), {
    state: 'failed',
    failure: 'other',
    reason: run.mask(error.message.split('\n')[0] ?? ''),
  })
  await recordOutcome(run, record)
  await recordEvent(run.world, run.root, {
    type: 'run.failed',
    subject: run.job ? jobKey(run.job) : run.agent,
    text: record.reason,
    run: run.run,
  })
}

function headOf(run: RunContext, origin: string) {
  return {
    run: run.run,
    origin,
    ...names(run),
    slot: run.slot === undefined ? null : toIso(run.slot),
    startedAt: toIso(run.startedAt),
    durationMs: Math.round(run.world.clock.elapsed() - run.startedElapsed),
  }
}

function names({ agent, job }: RunContext): { agent: string; job: string | null } {
  return { agent, job: job?.name ?? null }
}

function keepAside(run: RunContext, text: string): string {
  const name = `${run.run}-${run.job?.name ?? 'turn'}.md`
  const path = join(keptAsideDir(run.root), name)
  replaceFile(run.world, path, text)
  return relative(run.root, path)
}

async function enqueueText(run: RunContext, origin: string, text: string): Promise<RunReport['delivery']> {
  const { deliver } = run.job ?? {}
  if (!deliver || deliver.mode === 'none' || deliver.to === undefined) return []
  if (deliver.mode === 'on-alert' && !isAlert(text) && !deliver.always.includes(run.day.time)) return []
  const channel = await openNamedChannel(run, deliver.to)
  const pieces = channel.maxUnits === undefined ? [text] : chunkMessage(text, channel.maxUnits)
  const moment = run.slot === undefined ? `run-${origin}` : slotStamp(run.slot)
  const key = `${run.agent}.${run.job!.name}.${moment}.${deliver.to}`
  const started = run.slot === undefined ? origin : toIso(run.slot).replaceAll('-', '')
  const id = await enqueue(run.world, run.root, started, {
    key,
    channel: deliver.to,
    pieces,
    ...names(run),
    run: run.run,
  })
  return [{ id, channel: deliver.to, state: 'queued' }]
}

/** `on-alert` speaks only when a line of the text begins with `ALERT:`. */
function isAlert(text: string): boolean {
  return /^[\s>*#-]*ALERT:/m.test(text)
}

function evidenceOf({ items, sources, blob }: Gathered): RunRecord['evidence'] {
  const sourcesFailed = sources.filter(source => source.state === 'failed').length
  return { items: items.length, sourcesOk: sources.length - sourcesFailed, sourcesFailed, blob }
}

function reportOf(record: RunRecord, text: string, delivery: RunReport['delivery']): RunReport {
  const {
    run,
    agent,
    job,
    slot,
    state,
    reason,
    model,
    evidence,
    usage,
    durationMs,
    fallbacks,
    degraded,
    keptAside,
    session,
  } = record
  const files = record.files.map(file => file.path)
  return {
    run,
    agent,
    job,
    slot,
    state,
    reason,
    model,
    text,
    files,
    evidence,
    usage,
    delivery,
    durationMs,
    fallbacks,
    degraded,
    keptAside,
    session,
  }
}
