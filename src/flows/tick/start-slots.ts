import { type Job, jobKey } from '../../core/job.ts'
import { type Millis, minuteMs, toIso } from '../../core/millis.ts'
import { lockFile } from '../../records/paths.ts'
import { seatCount } from '../run-job/admit/take-seat.ts'
import type { TickContext } from './context.ts'
import { heldReason, mayStart, noteEnd } from './held-back.ts'
import { type DueJob, lookAgain } from './due-jobs.ts'

/**
 * Starts what is due, each in a process of its own: the slots of one job after each
 * other, the oldest job first, and so many at a time as the host has seats. Another
 * tick that is starting a job keeps this one from it; a claim decides in any case.
 */
export async function startSlots(context: TickContext, due: readonly DueJob[]): Promise<void> {
  const startable = due.filter(({ starts }) => starts.length > 0)
  const oldestFirst = startable.toSorted((a, b) => a.starts[0]! - b.starts[0]!)
  const queue = oldestFirst.values()
  const workers = Array.from({ length: Math.min(seatCount(context), startable.length) }, async () => {
    for (const one of queue) await startJob(context, one)
  })
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}

async function startJob(context: TickContext, one: DueJob): Promise<void> {
  const { world, root, dryRun } = context
  const { job, starts: slots } = one
  if (dryRun) {
    for (const slot of slots) tellStart(context, job, slot)
    return
  }
  const gate = world.locks.tryLock(lockFile(root, `tick-${job.agent}.${job.name}`))
  if (!gate) return
  try {
    if (!mayStart(context, job)) {
      context.report.waiting.push(
        ...slots.map(slot => ({ job: jobKey(job), slot: toIso(slot), reason: heldReason, isNew: true })),
      )
      return
    }
    for (const slot of slots) {
      if (context.held.has(jobKey(job)) && slot !== slots[0]) break
      const now = (await lookAgain(context, one)).open.find(open => open.slot === slot)
      if (now?.decision.kind === 'start') await launch(context, job, slot)
    }
  } finally {
    gate.release()
  }
}

function tellStart({ world, report }: TickContext, job: Job, slot: Millis) {
  const late = Math.floor((world.clock.now() - slot) / minuteMs)
  const started = { job: jobKey(job), slot: toIso(slot), why: late === 0 ? 'due now' : `due ${late} min ago` }
  report.due.push(started)
  return started
}

async function launch(context: TickContext, job: Job, slot: Millis): Promise<void> {
  const { ports, root, note, warn } = context
  const started = tellStart(context, job, slot)
  note(`${started.job}: starting slot ${started.slot}`)
  const argv = ['-C', root, 'run', job.agent, job.name, '--slot', started.slot, '--quiet', '--json']
  const { exitCode, lastLine } = await ports.launch(argv)
  Object.assign(started, { exitCode, said: lastLine })
  const isNews = noteEnd(context, job, exitCode)
  if (exitCode === 0 || !isNews) return
  const end = exitCode === null ? 'did not start, or was killed' : `exit ${exitCode}`
  warn(`${started.job}, slot ${started.slot}: ${end}${lastLine === '' ? '' : `: ${lastLine}`}`)
}
