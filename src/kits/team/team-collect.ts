import type { CollectContext } from '../../agent/collector.ts'
import { filledText, listOf, objectOf, oneOf, optional } from '../../core/decode.ts'
import type { GatherResult, SourceReport } from '../../core/evidence.ts'
import { DiskError } from '../../world/disk.ts'
import { decodeOptions } from '../ainews/collector-options.ts'
import { diskFacts } from './disk-facts.ts'
import { type Fact, factsResult, failedSource, type Inspected, okSource } from './fact.ts'
import { jobFacts } from './job-facts.ts'
import { agedFacts, backupFacts, deliveryFacts, learningFacts, sessionFacts } from './place-facts.ts'
import { agentsOf } from './read-json.ts'

type Look = (place: Inspected) => Fact[] | Promise<Fact[]>

const looks = {
  jobs: jobFacts,
  disk: diskFacts,
  sessions: sessionFacts,
  learnings: learningFacts,
  deliveries: deliveryFacts,
  shared: agedFacts,
  backups: backupFacts,
} satisfies Record<string, Look>

type LookName = keyof typeof looks

const lookNames = Object.keys(looks) as LookName[]

/** Where each looks, for the list of sources. */
const places: Readonly<Record<LookName, string>> = {
  jobs: 'shared-context/job-status',
  disk: 'the folders of the workspace',
  sessions: 'agents/*/sessions',
  learnings: 'agents/*/.learnings',
  deliveries: '.claw/outbox',
  shared: 'shared-context',
  backups: 'backups',
}

const teamOptions = objectOf({
  parts: optional(listOf(oneOf(lookNames)), lookNames),
  /** Only these; without it all. */
  agents: optional(listOf(filledText), undefined),
})

/** `team.collect`: an inspection without a model. A part that cannot be looked at is a source that failed. */
export async function collectTeam(
  raw: Record<string, unknown>,
  context: CollectContext,
): Promise<GatherResult> {
  const { parts, agents } = decodeOptions('team.collect', teamOptions, raw)
  const place = { ...context, agents: agents ?? agentsOf(context.world.disk, context.root) }
  const facts: Fact[] = []
  const sources: SourceReport[] = []
  for (const part of parts) {
    try {
      if (context.signal.aborted) sources.push(failedSource(places[part], 'stopped'))
      else {
        const found = await looks[part](place)
        facts.push(...found)
        sources.push(okSource(places[part], found.length))
      }
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      sources.push(failedSource(places[part], `cannot be read (${error.code})`))
    }
  }
  return factsResult(facts, sources, context.world.clock.now())
}
