import { fillPath } from '../../core/zone.ts'
import type { Need } from '../../core/job.ts'
import { minuteMs } from '../../core/millis.ts'
import type { Refusal } from './admit.ts'
import { type RunContext, pathNames } from './open-run.ts'
import { ownPath } from './product.ts'

/** Chains go by the freshness of files: what is missing or old degrades, skips or fails the run, as the job says. */
export function checkNeeds(run: RunContext): { degraded: string[]; refusal: Refusal | undefined } {
  const degraded: string[] = []
  for (const need of run.job?.needs ?? []) {
    const lack = lackOf(run, need)
    if (lack === undefined) continue
    if (need.else !== 'degrade') {
      const state = need.else === 'fail' ? 'failed' : 'skipped'
      return { degraded, refusal: { kind: 'refused', state, reason: lack } }
    }
    degraded.push(lack)
  }
  return { degraded, refusal: undefined }
}

function lackOf(run: RunContext, need: Need): string | undefined {
  const file = fillPath(need.file, pathNames(run))
  const stat = run.world.disk.stat(ownPath(run, file))
  if (!stat) return `${file} is not there`
  if (need.maxAge === undefined) return undefined
  const ageMs = run.world.clock.now() - stat.mtimeMs
  return ageMs > need.maxAge ? `${file} is ${Math.round(ageMs / minuteMs)} minutes old` : undefined
}
