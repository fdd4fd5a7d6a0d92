import { join } from 'node:path'
import { isClawError } from '../../core/claw-error.ts'
import { checksOf, type Job } from '../../core/job.ts'
import { checkSpecProblems } from '../../core/checks/run-checks.ts'
import { agentNames } from '../../records/agents.ts'
import { jobNames, loadJob } from '../../records/jobs.ts'
import { unknownTool } from '../run-job/tools-of-run.ts'
import type { Check, CheckInput, Repairable } from './finding.ts'
import { jobKeysWithoutEffect, withoutEffectText } from './without-effect.ts'

const check = 'jobs'

/** Every job decodes, can fire, and names a channel, collectors, tools and checks that exist. */
export const checkJobs: Check = async input => {
  const { world, root } = input
  const findings: Repairable[] = []
  for (const agent of agentNames(world.disk, root)) {
    for (const name of jobNames(world.disk, root, agent)) {
      try {
        const job = await loadJob(world, root, { agent, job: name })
        for (const text of problemsOf(job, input))
          findings.push({ level: 'error', check, path: job.file, text })
        for (const key of jobKeysWithoutEffect(job))
          findings.push({ level: 'note', check, path: job.file, text: withoutEffectText(key) })
      } catch (error) {
        if (!isClawError(error)) throw error
        findings.push({ level: 'error', check, path: `agents/${agent}/jobs/${name}.md`, text: error.message })
      }
    }
  }
  return findings
}

function problemsOf(job: Job, { world, root, config, collectors }: CheckInput): string[] {
  const problems: string[] = []
  const to = job.deliver?.mode === 'none' ? undefined : job.deliver?.to
  if (to !== undefined && config && !config.channels[to])
    problems.push(`deliver: no channel ${to} in claw.yaml`)
  for (const { tool } of job.gather)
    if (!collectors.includes(tool)) problems.push(`gather: no collector ${tool}`)
  for (const { tool, with: options } of job.gather) {
    for (const key of ['list', 'live']) {
      const list = options[key]
      const isFile = typeof list === 'string' && !/^https?:/.test(list)
      if (isFile && !world.disk.stat(join(root, list.replace(/^file:/, ''))))
        problems.push(`gather: ${tool}: ${list} is not there`)
    }
  }
  const wrong = unknownTool(job.tools)
  if (wrong) problems.push(`tools: no tool ${wrong.name}`)
  for (const spec of checksOf(job)) {
    problems.push(...checkSpecProblems(spec).map(({ check: name, why }) => `check ${name}: ${why}`))
  }
  return problems
}
