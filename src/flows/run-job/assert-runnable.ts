import { ClawError } from '../../core/claw-error.ts'
import { checksOf, type Job } from '../../core/job.ts'
import { channelNamed } from '../deliver.ts'
import { resolveChain } from '../resolve-models.ts'
import { collectorNamed } from './gather.ts'
import type { RunContext } from './open-run.ts'
import { productPaths } from './product.ts'
import { toolNames } from './tools-of-run.ts'

/**
 * Everything that a job names must be there: models, tools, collectors, checks and
 * its channel. Throws `config-invalid` before anything is claimed or written, so
 * that a typing error costs no slot.
 */
export async function assertRunnable(run: RunContext): Promise<void> {
  const { config, env, job, request } = run
  resolveChain(config, env, { tier: job?.tier ?? 'main', override: request.model })
  toolNames(run)
  if (!job) return
  if (job.gather.length > 0) {
    const collectors = await run.ports.collectors()
    for (const { tool } of job.gather) collectorNamed(collectors, tool, run)
  }
  await assertChecks(job)
  productPaths(run)
  const { deliver } = job
  if (deliver && deliver.mode !== 'none' && deliver.to !== undefined) channelNamed(run, deliver.to)
}

async function assertChecks(job: Job): Promise<void> {
  const specs = checksOf(job).filter(spec => Object.keys(spec).length > 0)
  if (specs.length === 0) return
  const { checkSpecProblems } = await import('../../core/checks/run-checks.ts')
  for (const spec of specs) {
    const [problem] = checkSpecProblems(spec)
    if (problem) throw new ClawError('config-invalid', `${job.file}: check ${problem.check}: ${problem.why}`)
  }
}
