import { join, relative } from 'node:path'
import { isClawError } from '../../core/claw-error.ts'
import { agentNames } from '../../records/agents.ts'
import { peekDelivery, peekOpenDeliveries } from '../../records/outbox.ts'
import { blobsDir, cooldownFile, keptAsideDir, sessionIndexFile } from '../../records/paths.ts'
import { peekRuns } from '../../records/runs.ts'
import { readBlob } from '../../store/blob.ts'
import { readJsonFile } from '../../store/json-file.ts'
import type { Check, Finding } from './finding.ts'

/** Machine state: deliveries that need a person, blobs that are not what they say, damaged indexes. */
export const checkState: Check = input => [
  ...outboxFindings(input),
  ...lostFindings(input),
  ...blobFindings(input),
  ...jsonFindings(input),
  ...quarantineFindings(input),
]

type Input = Parameters<Check>[0]

function outboxFindings({ world, root }: Input): Finding[] {
  return peekOpenDeliveries(world.disk, root)
    .filter(({ state }) => state === 'unknown' || state === 'failed')
    .map(({ id, channel, state, why }) => ({
      level: 'warning',
      check: 'outbox',
      path: `.claw/outbox/${id}.jsonl`,
      text: `to ${channel}: ${state === 'unknown' ? 'may or may not have arrived' : 'failed'} (${why}); claw outbox retry ${id}, or claw outbox drop ${id}`,
    }))
}

/** How many of an agent's latest runs are asked for what they sent. */
const depth = 200

/** A run that names a delivery of which nothing is left: `.claw` was deleted, or the record was damaged. */
function lostFindings({ world: { disk }, root }: Input): Finding[] {
  const lost = agentNames(disk, root).flatMap(agent =>
    peekRuns(disk, root, agent, depth).flatMap(({ run, deliveries }) =>
      deliveries.filter(id => !peekDelivery(disk, root, id)).map(id => `${id} of run ${run}`),
    ),
  )
  if (lost.length === 0) return []
  return [
    {
      level: 'warning',
      check: 'outbox',
      path: '.claw/outbox',
      text: `holds nothing of ${lost.length} deliveries that runs have made, newest ${lost[0]}: whether they arrived is not known; the texts are where the runs stored them`,
    },
  ]
}

function blobFindings({ world, root }: Input): Finding[] {
  const dir = blobsDir(root)
  const findings: Finding[] = []
  for (const { name: head } of world.disk.list(dir) ?? []) {
    for (const { name: rest } of world.disk.list(join(dir, head)) ?? []) {
      const hash = head + rest
      if (!/^[0-9a-f]{64}$/.test(hash)) continue
      try {
        readBlob(world.disk, root, hash)
      } catch (error) {
        if (!isClawError(error)) throw error
        findings.push({
          level: 'error',
          check: 'blobs',
          path: `.claw/blobs/${head}/${rest}`,
          text: 'the content is not what its name says',
        })
      }
    }
  }
  return findings
}

function jsonFindings({ world, root }: Input): Finding[] {
  const files = [
    cooldownFile(root),
    ...agentNames(world.disk, root).map(agent => sessionIndexFile(root, agent)),
  ]
  return files.flatMap(file => {
    const read = readJsonFile(world.disk, file)
    const path = relative(root, file)
    if (read.state !== 'damaged') return []
    return [
      {
        level: 'error' as const,
        check: 'json',
        path,
        text: read.why,
        ...(read.line !== undefined && { line: read.line }),
      },
    ]
  })
}

function quarantineFindings({ world, root }: Input): Finding[] {
  const kept = (world.disk.list(keptAsideDir(root)) ?? []).filter(({ name }) => !name.endsWith('.why'))
  if (kept.length === 0) return []
  return [
    {
      level: 'note',
      check: 'quarantine',
      path: '.claw/quarantine',
      text: `${kept.length} files were set aside; read and delete them`,
    },
  ]
}
