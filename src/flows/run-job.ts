import { admit, releaseAll } from './run-job/admit.ts'
import { check } from './run-job/check.ts'
import { assemble } from './run-job/assemble.ts'
import { deliver } from './run-job/deliver.ts'
import { gather } from './run-job/gather.ts'
import { openRun, type RunSetup } from './run-job/open-run.ts'
import { type RunReport, settle, settleRefusal } from './run-job/settle.ts'
import { think } from './run-job/think.ts'
import { withDeadline } from './run-job/deadline.ts'

/**
 * One run, in seven steps: admit, gather, assemble, think, check, settle,
 * deliver. It may die at any instruction; the files it leaves are understood by
 * the next run.
 */
export async function runJob(setup: RunSetup): Promise<RunReport> {
  const run = await openRun(setup)
  const admission = await admit(run)
  if (admission.kind === 'refused') return settleRefusal(run, admission)
  try {
    const report = await withDeadline(run, async signal => {
      const gathered = await gather(run, signal)
      const prompt = await assemble(run, gathered)
      const conversation = await think(run, { gathered, prompt, signal })
      const verdict = await check(run, { gathered, conversation })
      return settle(run, { admission, gathered, conversation, verdict })
    })
    return await deliver(run, report)
  } finally {
    releaseAll(admission.leases)
  }
}
