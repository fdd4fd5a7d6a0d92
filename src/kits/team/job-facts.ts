import { join } from 'node:path'
import { fromIso, type Millis, minuteMs } from '../../core/millis.ts'
import { isBad, type JobStatus } from '../../core/run.ts'
import type { Fact, Inspected } from './fact.ts'
import { namesOf, readObject } from './read-json.ts'
import { readTimings, type Timing, type Timings } from './schedules.ts'

const folder = 'shared-context/job-status'

/** A job that is due is given this long before its absence is a finding. */
const graceMs = 15 * minuteMs

interface JobView extends Timing {
  status: JobStatus | undefined
  /** Its last due moment of today, when that is past the grace; undefined when none is, and for the job that asks. */
  dueToday: Millis | undefined
}

/** How the jobs stand: one fact an agent, and one for each job that failed or cannot be read. */
export async function jobFacts(context: Inspected): Promise<Fact[]> {
  const timings = await readTimings(context)
  const statuses = readStatuses(context)
  const views = await viewsOf(timings, statuses, context)
  const agents = [...new Set(views.map(({ agent }) => agent))]
  return [
    ...timings.broken.map(brokenFact),
    ...views.flatMap(view => badFact(view) ?? []),
    ...agents.map(agent =>
      agentFact(
        agent,
        views.filter(view => view.agent === agent),
        context,
      ),
    ),
  ]
}

function readStatuses({ world, root }: Inspected): Map<string, JobStatus> {
  const statuses = new Map<string, JobStatus>()
  for (const name of namesOf(world.disk, join(root, folder), 'file')) {
    const status = name.endsWith('.json') ? readObject(world.disk, join(root, folder, name)) : undefined
    if (typeof status?.['state'] !== 'string' || typeof status['at'] !== 'string') continue
    statuses.set(`${String(status['agent'])}/${String(status['job'])}`, status as unknown as JobStatus)
  }
  return statuses
}

async function viewsOf(
  { jobs }: Timings,
  statuses: ReadonlyMap<string, JobStatus>,
  { world, timeZone, names }: Inspected,
): Promise<JobView[]> {
  const { latestSlot } = await import('../../core/cron.ts')
  const now = world.clock.now()
  const [hours = 0, minutes = 0] = world.clock.local(now, timeZone).time.split(':').map(Number)
  const midnight = now - (now % minuteMs) - (hours * 60 + minutes) * minuteMs
  return jobs.map(job => {
    const isAsking = job.agent === names['agent'] && job.name === names['job']
    const due =
      job.enabled && !isAsking ? latestSlot(job.schedule, job.tz ?? timeZone, now - graceMs) : undefined
    const dueToday = due !== undefined && due >= midnight ? due : undefined
    return { ...job, status: statuses.get(`${job.agent}/${job.name}`), dueToday }
  })
}

function brokenFact({ file, why }: Timings['broken'][number]): Fact {
  return { level: 'problem', category: 'jobs', title: 'a job file cannot be read', text: why, source: file }
}

function badFact({ agent, name, status, enabled }: JobView): Fact | undefined {
  if (!status || !enabled || !isBad(status.state)) return undefined
  const inRow = typeof status.failuresInRow === 'number' ? status.failuresInRow : 1
  return {
    level: inRow >= 2 ? 'alert' : 'problem',
    category: 'jobs',
    title: `${agent}/${name} ${status.state}${inRow >= 2 ? `, ${inRow} times in a row` : ''}`,
    text: status.reason === '' ? 'no reason was recorded' : status.reason,
    source: `${folder}/${agent}.${name}.json`,
    at: fromIso(status.at),
  }
}

/** `Silent` is an agent of which jobs were due today and none has run; not due is something else. */
function agentFact(agent: string, views: readonly JobView[], context: Inspected): Fact {
  const due = views.filter(({ dueToday }) => dueToday !== undefined)
  const missing = due.filter(view => !hasRun(view))
  const states = due.filter(hasRun).map(({ name, status }) => `${name} ${status?.state}`)
  const off = views.filter(({ enabled }) => !enabled).length
  const isSilent = due.length > 0 && missing.length === due.length
  const said = [
    due.length === 0 ? 'no job was due today so far' : `due today so far: ${due.length}`,
    ...(states.length > 0 ? [`ran: ${states.join(', ')}`] : []),
    ...(missing.length > 0
      ? [`no run: ${missing.map(view => `${view.name} (due ${timeOf(view, context)})`).join(', ')}`]
      : []),
    ...(off > 0 ? [`switched off: ${off}`] : []),
  ]
  return {
    level: isSilent ? 'alert' : missing.length > 0 ? 'problem' : 'fact',
    category: 'jobs',
    title: isSilent ? `${agent} is silent today` : `jobs of ${agent}`,
    text: said.join('; '),
    source: folder,
    at: latestAt(views),
  }
}

function hasRun({ status, dueToday }: JobView): boolean {
  const at = status && fromIso(status.at)
  return at !== undefined && dueToday !== undefined && at >= dueToday
}

function timeOf({ dueToday = 0 }: JobView, { world, timeZone }: Inspected): string {
  return world.clock.local(dueToday, timeZone).time
}

function latestAt(views: readonly JobView[]): Millis | undefined {
  const times = views.flatMap(({ status }) => (status ? (fromIso(status.at) ?? []) : []))
  return times.length > 0 ? Math.max(...times) : undefined
}
