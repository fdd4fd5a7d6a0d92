import type { Collector } from '../../agent/collector.ts'
import { ClawError } from '../../core/claw-error.ts'
import type { Evidence, EvidenceDraft, GatherResult, SourceReport } from '../../core/evidence.ts'
import { nearestHint } from '../../core/nearest.ts'
import { collectorCache } from '../../records/collector-cache.ts'
import { keepEvidence } from '../../records/evidence.ts'
import { pathNames, type RunContext } from './open-run.ts'

export interface Gathered {
  items: Evidence[]
  sources: SourceReport[]
  notes: string[]
  /** Hash of the blob that keeps all this; null when nothing was to be gathered. */
  blob: string | null
}

/** Runs the job's collectors in order; each item becomes evidence of this run. No model is involved. */
export async function gather(
  run: RunContext,
  signal: AbortSignal,
  degraded: readonly string[] = [],
): Promise<Gathered> {
  const steps = run.job?.gather ?? []
  const gathered: Gathered = { items: [], sources: [], notes: degraded.map(missingNote), blob: null }
  if (steps.length === 0) return gathered
  const drafts: EvidenceDraft[] = []
  for (const step of steps) {
    const result = await collectStep(run, step, signal)
    drafts.push(...result.items)
    gathered.sources.push(...result.sources)
    gathered.notes.push(...result.notes)
  }
  gathered.items = withIds(drafts)
  for (const source of gathered.sources) {
    if (source.state === 'failed')
      run.note(`source failed: ${source.name} (${source.why ?? 'no reason given'})`)
  }
  run.note(
    `gathered ${gathered.items.length} items from ${gathered.sources.filter(isGood).length} of ${gathered.sources.length} sources`,
  )
  if (!run.request.dryRun) gathered.blob = keepEvidence(run.world, run.root, gathered)
  return gathered
}

/** What is not there is said in the prompt and in the text, and never filled in. */
function missingNote(what: string): string {
  return `missing: ${what}`
}

/** One collector of the job's `gather:` or `when:`. */
export async function collectStep(
  run: RunContext,
  step: { tool: string; with: Record<string, unknown> },
  signal: AbortSignal,
): Promise<GatherResult> {
  const collector = collectorNamed(await run.ports.collectors(), step.tool, run)
  return collector.collect(step.with, {
    world: run.world,
    root: run.root,
    timeZone: run.timeZone,
    names: pathNames(run),
    live: run.request.live || run.config.live,
    cache: collectorCache(run.world, run.root, run.agent, { isReadOnly: run.request.dryRun }),
    signal,
    isDry: run.request.dryRun,
    progress: run.note,
  })
}

function isGood(source: SourceReport): boolean {
  return source.state !== 'failed'
}

function withIds(drafts: readonly EvidenceDraft[]): Evidence[] {
  const seen = new Set<string>()
  const unique = drafts.filter(({ url }) => url === '' || (!seen.has(url) && seen.add(url)))
  return unique.map((draft, index) => ({ id: `e${index + 1}`, ...draft }))
}

/** Throws `config-invalid` with the nearest name. */
export function collectorNamed(
  collectors: readonly Collector[],
  name: string,
  run: Pick<RunContext, 'job'>,
): Collector {
  const found = collectors.find(collector => collector.name === name)
  if (found) return found
  const names = collectors.map(collector => collector.name)
  throw new ClawError('config-invalid', `${run.job?.file}: no collector ${name}`, {
    hint: nearestHint(name, names, 'collectors'),
  })
}
