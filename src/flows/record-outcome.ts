import { isClawError } from '../core/claw-error.ts'
import { brokenIncident } from '../core/incident/broken-file.ts'
import { isTroubled, type Notice, noteOutcome } from '../core/incident.ts'
import { isBad, type RunRecord } from '../core/run.ts'
import { recordEvent } from '../records/events.ts'
import { peekIncidents, updateIncidents } from '../records/incidents.ts'
import { enqueue } from '../records/outbox.ts'
import { recordRun } from '../records/runs.ts'
import type { RunContext } from './run-job/open-run.ts'

/** The record of a run, which is the commit point, then what it means for the incidents. */
export async function recordOutcome(
  run: Pick<RunContext, 'world' | 'root' | 'config' | 'warn'>,
  record: RunRecord,
): Promise<void> {
  await recordRun(run.world, run.root, record)
  if (record.job === null) return
  const job = `${record.agent}/${record.job}`
  const book = peekIncidents(run.world.disk, run.root)
  const isNews = isBad(record.state) || isTroubled(book, job)
  // A run by hand says nothing of the schedule, but a good one says that the file can be used again.
  const isMended = !isBad(record.state) && brokenIncident(book, job) !== undefined
  if (!isNews || (record.slot === null && !isMended)) return
  try {
    await noteIncident(run, record, job)
  } catch (error) {
    // The run is on record; a file of incidents that cannot be read must not undo that.
    if (!isClawError(error)) throw error
    run.warn(`incidents: ${error.message}`)
  }
}

async function noteIncident(
  { world, root, config }: Pick<RunContext, 'world' | 'root' | 'config'>,
  record: RunRecord,
  job: string,
): Promise<void> {
  const { run, state, failure, reason, startedAt } = record
  const { after: alertAfter, pauseAfter } = config.alerts
  let notices: Notice[] = []
  await updateIncidents(world, root, book => {
    const noted = noteOutcome(
      book,
      { job, run, state, failure, reason, at: startedAt },
      { alertAfter, pauseAfter },
    )
    notices = noted.notices
    return noted.book
  })
  await sendNotices({ world, root, config }, notices, { job, run })
}

/** On record, and to whom alerts go. */
export async function sendNotices(
  { world, root, config }: Pick<RunContext, 'world' | 'root' | 'config'>,
  notices: readonly Notice[],
  { job, run }: { job: string; run: string },
): Promise<void> {
  const { to } = config.alerts
  const [agent = ''] = job.split('/')
  for (const { kind, key, text } of notices) {
    await recordEvent(world, root, { type: `incident.${kind}`, subject: job, text, run })
    if (to === undefined) continue
    await enqueue(world, root, run, {
      key: `${key}.${to}`,
      channel: to,
      pieces: [text],
      agent,
      job: null,
      run,
    })
  }
}
