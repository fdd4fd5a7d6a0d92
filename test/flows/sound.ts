import assert from 'node:assert/strict'
import type { DeliveryLine } from '../../src/flows/outbox.ts'
import type { RunRecord } from '../../src/core/run.ts'
import { peekRuns } from '../../src/records/runs.ts'
import { peekSession } from '../../src/records/sessions.ts'
import { readJsonFile } from '../../src/store/json-file.ts'
import { readLog } from '../../src/store/log.ts'
import { type Rig, command, root } from './command-rig.ts'

/** All runs of the agent, oldest first. */
export function runsOf({ world }: Rig, most = 1000): RunRecord[] {
  return peekRuns(world.disk, root, 'ann', most).reverse()
}

export async function openLines(of: Rig, ...flags: string[]): Promise<DeliveryLine[]> {
  const { out } = await command(of, 'outbox', 'list', '--json', ...flags)
  return JSON.parse(out) as DeliveryLine[]
}

/** What holds in every workspace after any fault and one more run. */
export async function assertSound(of: Rig, where: string): Promise<void> {
  const { world } = of
  assertLogsWhole(of, where)
  assertSessionsLoad(of, where)
  assert.deepEqual(world.locks.held(), [], `${where}: locks are still held`)
  assertLedger(of, where)
  const { exitCode, out } = await command(of, 'doctor')
  assert.equal(exitCode, 0, `${where}: doctor: ${out}`)
  const findings = out.split('\n').filter(line => !line.includes('a draft of a process that died'))
  assert.doesNotMatch(findings.join('\n'), /job-status/, where)
}

function assertLogsWhole({ world: { disk } }: Rig, where: string): void {
  for (const path of disk.paths(root).filter(name => name.endsWith('.jsonl'))) {
    assert.deepEqual(readLog(disk, path).bad, [], `${where}: ${path}`)
  }
}

function assertSessionsLoad({ world: { disk } }: Rig, where: string): void {
  const folder = `${root}/agents/ann/sessions`
  for (const { name } of disk.list(folder) ?? []) {
    if (!name.endsWith('.jsonl')) continue
    const { header, entries, badLines } = peekSession(disk, root, 'ann', name.slice(0, -'.jsonl'.length))
    assert.deepEqual(badLines, [], `${where}: ${name}`)
    assert.ok(header !== undefined || entries.length === 0, `${where}: ${name} has no header`)
    const parents = entries.map(entry => entry.parentId)
    assert.deepEqual(
      parents,
      [null, ...entries.slice(0, -1).map(entry => entry.id)].slice(0, parents.length),
      `${where}: ${name} is no chain`,
    )
  }
  assert.notEqual(readJsonFile(disk, `${folder}/sessions.json`).state, 'damaged', where)
}

/** Each run has one record; each that got as far as gathering or asking has one at all. */
function assertLedger(of: Rig, where: string): void {
  const runs = runsOf(of)
  const ids = runs.map(({ run }) => run)
  assert.equal(new Set(ids).size, ids.length, `${where}: a run is recorded twice: ${ids.join(' ')}`)
  const ran = runs.filter(({ state }) => state !== 'skipped').length
  assert.ok(ran >= of.started(), `${where}: ${of.started()} runs began, ${ran} are in the ledger`)
  for (const { state, reason } of runs)
    if (state !== 'ok' && state !== 'silent') assert.notEqual(reason, '', `${where}: ${state}`)
}
