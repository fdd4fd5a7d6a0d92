import { parseCommand } from '../../../core/argv.ts'
import type { Config } from '../../../core/config.ts'
import { decideExec } from '../../../core/exec-policy.ts'
import { nearestHint } from '../../../core/nearest.ts'
import { errorOn, type FindingAt, type LintJob } from './finding.ts'

/** What a job names in `claw.yaml` and that is not there, or not allowed: it would fail at each slot. */
export function referenceFindings(
  { root, config }: { root: string; config: Config },
  one: LintJob,
): FindingAt[] {
  const { when, deliver, agent } = one.job
  const findings: FindingAt[] = []
  const why = when?.exec === undefined ? undefined : refusalOf(when.exec, config, { root, agent })
  if (why !== undefined) findings.push(errorOn(one, `when: ${when!.exec}: ${why}`, ['when', 'exec']))
  const to = deliver && deliver.mode !== 'none' ? deliver.to : undefined
  if (to !== undefined && !config.channels[to]) {
    const hint = nearestHint(to, Object.keys(config.channels), 'channels')
    findings.push(errorOn(one, `deliver: no channel ${to} in claw.yaml; ${hint}`, ['deliver', 'to']))
  }
  return findings
}

function refusalOf(
  command: string,
  { exec: { security, allow } }: Config,
  place: { root: string; agent: string },
): string | undefined {
  const parsed = parseCommand(command)
  if (parsed.kind === 'refused') return parsed.why
  const decision = decideExec(parsed.argv, { security, allow }, place)
  return decision.kind === 'refused' ? decision.why : undefined
}
