import { loadConfig } from '../../records/config.ts'
import { assertAgent } from '../../records/agents.ts'
import type { World } from '../../world/world.ts'
import type { LintFinding } from './cron-lint/finding.ts'
import { loadTeamJobs } from './team-jobs.ts'

export type { LintFinding } from './cron-lint/finding.ts'

/** What is wrong with the schedules of the team, or surprising about them. Reads only. */
export async function lintCron(world: World, root: string, only?: string): Promise<LintFinding[]> {
  if (only !== undefined) assertAgent(world.disk, root, only)
  const config = await loadConfig(world, root)
  const { jobs, broken } = await loadTeamJobs(world, root, config)
  const { scheduleFindings } = await import('./cron-lint/schedule-findings.ts')
  const findings = [
    ...broken.map(({ key, file, why }): LintFinding => ({ level: 'error', job: key, file, text: why })),
    ...scheduleFindings({ world, root, config }, jobs),
  ]
  return findings.filter(({ job }) => only === undefined || job.startsWith(`${only}/`))
}
