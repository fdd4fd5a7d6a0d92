import type { Config } from '../../../core/config.ts'
import type { Job } from '../../../core/job.ts'
import type { World } from '../../../world/world.ts'
import { calendarFindings } from './calendars.ts'
import { chainFindings } from './chains.ts'
import { crowdFindings } from './crowds.ts'
import { type LintFinding, lintJob } from './finding.ts'
import { jobFindings } from './one-job.ts'

/** All that can be said of jobs that decode. */
export function scheduleFindings(
  { world, root, config }: { world: World; root: string; config: Config },
  jobs: readonly Job[],
): LintFinding[] {
  const now = world.clock.now()
  const all = jobs.map(job => lintJob(job, config, now))
  return [
    ...all.flatMap(jobFindings),
    ...calendarFindings(all, now),
    ...crowdFindings({ world, config }, all),
    ...chainFindings({ world, root }, all),
  ]
}
