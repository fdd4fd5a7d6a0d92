import type { Config } from '../../../core/config.ts'
import { slotsBetween } from '../../../core/cron.ts'
import { type Job, jobKey } from '../../../core/job.ts'
import { dayMs, type Millis } from '../../../core/millis.ts'

export interface LintFinding {
  level: 'error' | 'warning'
  /** `<agent>/<job>` */
  job: string
  file: string
  /** Null for what no line of the file says. */
  line: number | null
  text: string
}

/** A finding whose line is still to be looked up. */
export interface FindingAt extends Omit<LintFinding, 'line'> {
  /** Of the member in the frontmatter; undefined where there is none. */
  path: (string | number)[] | undefined
}

export interface LintJob {
  job: Job
  key: string
  timeZone: string
  /** Of the next two weeks; empty when it is disabled. */
  slots: Millis[]
}

/** Long enough to hold what happens on each weekday, and in one that is a holiday. */
const spanMs = 14 * dayMs

/** A job that fires each minute for two weeks. */
const mostSlots = 20_160

export function lintJob(job: Job, { timezone }: Pick<Config, 'timezone'>, now: Millis): LintJob {
  const timeZone = job.tz ?? timezone
  const slots = job.enabled ? slotsBetween(job.schedule, timeZone, now, now + spanMs, mostSlots) : []
  return { job, key: jobKey(job), timeZone, slots }
}

export function warningOn({ job, key }: LintJob, text: string, path?: FindingAt['path']): FindingAt {
  return { level: 'warning', job: key, file: job.file, path, text }
}

/** What keeps the job from running at all. */
export function errorOn(one: LintJob, text: string, path: FindingAt['path']): FindingAt {
  return { ...warningOn(one, text, path), level: 'error' }
}
