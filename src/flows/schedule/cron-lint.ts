import { join } from 'node:path'
import { loadConfig } from '../../records/config.ts'
import { assertAgent } from '../../records/agents.ts'
import { parseDoc } from '../../store/doc.ts'
import { readText } from '../../store/text.ts'
import type { World } from '../../world/world.ts'
import type { FindingAt, LintFinding } from './cron-lint/finding.ts'
import { type BrokenJob, loadTeamJobs } from './team-jobs.ts'

export type { LintFinding } from './cron-lint/finding.ts'

export interface LintReport {
  /** Job files that cannot be used. */
  broken: LintFinding[]
  /** Of the others. */
  findings: LintFinding[]
}

/** What is wrong with the schedules of the team, or surprising about them. Reads only. */
export async function lintCron(world: World, root: string, only?: string): Promise<LintReport> {
  if (only !== undefined) assertAgent(world.disk, root, only)
  const config = await loadConfig(world, root)
  const { jobs, broken } = await loadTeamJobs(world, root, config)
  const { scheduleFindings } = await import('./cron-lint/schedule-findings.ts')
  const brokenTexts = broken.map(({ file }) => readText(world.disk, join(root, file)) ?? '')
  const findings = scheduleFindings({ world, root, config, brokenTexts }, jobs)
  const isMeant = (job: string): boolean => only === undefined || job.startsWith(`${only}/`)
  const placed: LintFinding[] = []
  for (const { path, ...finding } of findings.filter(({ job }) => isMeant(job)))
    placed.push({ ...finding, line: path ? await lineOf(world, root, { file: finding.file, path }) : null })
  return { broken: broken.filter(({ key }) => isMeant(key)).map(brokenFinding), findings: placed }
}

function brokenFinding({ key, file, why }: BrokenJob): LintFinding {
  const [, place, text = why] = /^[^:]+:(\d+):(?:\d+: )?([^]*)$/.exec(why) ?? []
  return { level: 'error', job: key, file, line: place === undefined ? null : Number(place), text }
}

/** Null for a heartbeat, which has no file of its own. */
async function lineOf(
  { disk }: Pick<World, 'disk'>,
  root: string,
  { file, path }: { file: string; path: NonNullable<FindingAt['path']> },
): Promise<number | null> {
  const text = file.includes('/jobs/') ? readText(disk, join(root, file)) : undefined
  return text === undefined ? null : (await parseDoc(file, text)).locate(path).line
}
