import { fillPath } from '../../core/zone.ts'
import type { Need } from '../../core/job.ts'
import { minuteMs } from '../../core/millis.ts'
import { agentDir } from '../../records/paths.ts'
import { type Refusal, skipped } from './admit/refusal.ts'
import { type RunContext, pathNames } from './open-run.ts'
import { ownPath } from './product.ts'

export interface NeedsVerdict {
  degraded: string[]
  refusal: Refusal | undefined
  /** A file that is worth waiting for, until the window of the slot is over. */
  waitsFor: string | undefined
}

/** Chains go by the freshness of files: what is missing or old degrades, delays, skips or fails the run, as the job says. */
export function checkNeeds(run: NeedsQuestion): NeedsVerdict {
  const degraded: string[] = []
  let waitsFor: string | undefined
  for (const need of run.job?.needs ?? []) {
    const lack = lackOf(run, need)
    if (lack === undefined) continue
    if (need.else === 'fail')
      return { degraded, waitsFor, refusal: { ...skipped(lack), state: 'failed', failure: 'needs' } }
    if (need.else === 'skip') return { degraded, waitsFor, refusal: skipped(lack) }
    if (need.else === 'wait' && hasWriter(run, need)) waitsFor ??= lack
    degraded.push(lack)
  }
  return { degraded, waitsFor, refusal: undefined }
}

/** What the run goes without: files that are missing or old, and what does not exist yet. */
export function degradedOf({ job }: Pick<RunContext, 'job'>, { degraded }: NeedsVerdict): string[] {
  return [...degraded, ...(job?.lacks ?? []).map(what => `not there yet: ${what}`)]
}

/** What is asked of a run that need not have begun. */
export type NeedsQuestion = Pick<RunContext, 'world' | 'root' | 'agent' | 'job' | 'day'>

/** A file of an agent that is not in this team never comes. */
function hasWriter({ world, root }: NeedsQuestion, { file }: Need): boolean {
  const [, agent] = /^agents\/([^/{}]+)\//.exec(file) ?? []
  return agent === undefined || world.disk.stat(agentDir(root, agent)) !== undefined
}

function lackOf(run: NeedsQuestion, need: Need): string | undefined {
  const file = fillPath(need.file, pathNames(run))
  const stat = run.world.disk.stat(ownPath(run, file))
  if (!stat) return `${file} is not there`
  if (need.maxAge === undefined) return undefined
  const ageMs = run.world.clock.now() - stat.mtimeMs
  return ageMs > need.maxAge ? `${file} is ${Math.round(ageMs / minuteMs)} minutes old` : undefined
}
