import { isClawError } from '../core/claw-error.ts'
import { type Admitted, admit } from './run-job/admit.ts'
import { assemble } from './run-job/assemble.ts'
import { assertRunnable } from './run-job/assert-runnable.ts'
import { check } from './run-job/check.ts'
import { deliver } from './run-job/deliver.ts'
import { gather } from './run-job/gather.ts'
import { isUnrecorded, withLeases } from './run-job/leases.ts'
import { openRun, type RunContext, type RunSetup } from './run-job/open-run.ts'
import { type RunReport, settle, settleFailure, settleRefusal } from './run-job/settle.ts'
import { think } from './run-job/think.ts'
import { withDeadline } from './run-job/deadline.ts'

/**
 * One run, in seven steps: admit, gather, assemble, think, check, settle,
 * deliver. It may die at any instruction; the files it leaves are understood by
 * the next run.
 */
export async function runJob(setup: RunSetup): Promise<RunReport> {
  const run = await openRun(setup)
  await assertRunnable(run)
  const admission = await admit(run)
  if (admission.kind === 'refused') return deliver(run, await settleRefusal(run, admission))
  return withLeases(admission.leases, async () => {
    const report = await withDeadline(run, signal => produced(run, admission, signal))
    return deliver(run, report)
  })
}

async function produced(run: RunContext, admission: Admitted, signal: AbortSignal): Promise<RunReport> {
  try {
    const gathered = await gather(run, signal, admission.degraded)
    const prompt = await assemble(run, gathered)
    const conversation = await think(run, { gathered, prompt, signal, markEffects: admission.markEffects })
    const verdict = await check(run, { gathered, conversation })
    return await settle(run, { admission, gathered, conversation, verdict })
  } catch (error) {
    if (isClawError(error) && !isUnrecorded(error)) await settleFailure(run, admission.origin, error)
    throw error
  }
}
