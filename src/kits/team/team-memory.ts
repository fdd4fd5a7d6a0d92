import { join } from 'node:path'
import type { CollectContext } from '../../agent/collector.ts'
import { objectOf, optional, wholeIn } from '../../core/decode.ts'
import type { GatherResult, SourceReport } from '../../core/evidence.ts'
import { dayMs, toIso } from '../../core/millis.ts'
import { estimateTokens } from '../../core/tokens.ts'
import { DiskError } from '../../world/disk.ts'
import { decodeOptions } from '../ainews/collector-options.ts'
import { type Fact, factsResult, failedSource, okSource } from './fact.ts'
import { pendingLearnings } from './place-facts.ts'
import { agentsOf, namesOf, readLenient } from './read-json.ts'
import { writeWhole } from './write-whole.ts'

const memoryOptions = objectOf({
  /** A MEMORY.md above this costs every turn too much. */
  maxTokens: optional(wholeIn(1, 1_000_000), 3000),
  /** Daily notes older than this belong into the archive. */
  noteDays: optional(wholeIn(1, 3650), 14),
})

/** Where the figures go as JSON. */
const reportFile = 'shared-context/memory-maintenance-latest.json'

interface AgentMemory {
  memory_lines: number
  memory_tokens: number
  memory_warning: boolean
  daily_memory_due: number
  learnings_pending: number
}

/** `team.memory`: looks and reports; nothing is archived or shortened. */
export async function collectMemory(
  raw: Record<string, unknown>,
  context: CollectContext,
): Promise<GatherResult> {
  const options = decodeOptions('team.memory', memoryOptions, raw)
  const { world, root } = context
  const now = world.clock.now()
  const { date: before } = world.clock.local(now - options.noteDays * dayMs, context.timeZone)
  const agents: Record<string, AgentMemory> = {}
  const facts: Fact[] = []
  const sources: SourceReport[] = []
  for (const agent of agentsOf(world.disk, root)) {
    const path = `agents/${agent}/MEMORY.md`
    const text = readLenient(world.disk, join(root, path))
    sources.push(
      text === undefined ? failedSource(path, 'no such file, or it cannot be read') : okSource(path, 1),
    )
    if (text === undefined) continue
    const memory = memoryOf(context, agent, { text, before, maxTokens: options.maxTokens })
    agents[agent] = memory
    facts.push(factOf(path, memory, options))
  }
  sources.push(writeReport(context, { timestamp: toIso(now), dry_run: true, agents }))
  return factsResult(facts, sources, now)
}

function memoryOf(
  { world: { disk }, root }: CollectContext,
  agent: string,
  { text, before, maxTokens }: { text: string; before: string; maxTokens: number },
): AgentMemory {
  const notes = namesOf(disk, join(root, 'agents', agent, 'memory'), 'file')
  const tokens = estimateTokens(text)
  return {
    memory_lines: text.trimEnd().split('\n').length,
    memory_tokens: tokens,
    memory_warning: tokens > maxTokens,
    daily_memory_due: notes.filter(
      name => /^\d{4}-\d{2}-\d{2}.*\.md$/.test(name) && name.slice(0, 10) < before,
    ).length,
    learnings_pending: pendingLearnings(disk, join(root, 'agents', agent, '.learnings')),
  }
}

function factOf(
  path: string,
  memory: AgentMemory,
  { maxTokens, noteDays }: { maxTokens: number; noteDays: number },
): Fact {
  const over = memory.memory_warning ? `, over the cap of ${maxTokens}` : ''
  return {
    level: memory.memory_warning ? 'alert' : 'fact',
    category: 'memory',
    title: path,
    text: `${memory.memory_lines} lines, about ${memory.memory_tokens} tokens${over}; ${memory.daily_memory_due} daily notes older than ${noteDays} days; ${memory.learnings_pending} learnings pending`,
    source: path,
  }
}

function writeReport(context: CollectContext, report: Record<string, unknown>): SourceReport {
  if (context.isDry) return okSource(reportFile, 0)
  try {
    writeWhole(context.world, join(context.root, reportFile), `${JSON.stringify(report, null, 1)}\n`)
    return okSource(reportFile, 1)
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return failedSource(reportFile, `cannot be written (${error.code})`)
  }
}
