import type { Config } from '../../../core/config.ts'
import type { Job } from '../../../core/job.ts'
import type { World } from '../../../world/world.ts'
import { calendarFindings } from './calendars.ts'
import { chainFindings } from './chains.ts'
import { crowdFindings } from './crowds.ts'
import { type FindingAt, lintJob } from './finding.ts'
import { jobFindings } from './one-job.ts'
import { referenceFindings } from './references.ts'

export interface LintTeam {
  world: World
  root: string
  config: Config
  /** Of job files that cannot be used. */
  brokenTexts: readonly string[]
}

/** All that can be said of jobs that decode. */
export function scheduleFindings(
  { world, root, config, brokenTexts }: LintTeam,
  jobs: readonly Job[],
): FindingAt[] {
  const now = world.clock.now()
  const all = jobs.map(job => lintJob(job, config, now))
  return [
    ...all.flatMap(one => referenceFindings({ root, config }, one)),
    ...all.flatMap(jobFindings),
    ...calendarFindings(all, now),
    ...crowdFindings({ world, config }, all),
    ...chainFindings({ world, root, brokenTexts }, all),
  ]
}
