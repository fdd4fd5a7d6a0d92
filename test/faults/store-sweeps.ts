import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDraft } from '../../src/store/atomic-file.ts'
import { readLog } from '../../src/store/log.ts'
import { nodeDisk } from '../../src/world/node-disk.ts'
import { workerPath } from './bundle.ts'
import { type Fault, type FileCall, type Outcome, runProgram } from './shim.ts'
import type { Sweep } from './sweep.ts'
import { logFile } from './workers/records.ts'

/** A small program over the store, and how to see what it left. */
export interface StoreProgram {
  worker: string
  /** Ids that are there from the beginning. */
  old: string[]
  start?: (dir: string) => void
  /** Throws for damage. */
  look: (dir: string) => Seen
}

interface Seen {
  /** Each as often as it is there. */
  ids: string[]
  /** A half line that the next one heals: fine after a crash only. */
  isTorn?: boolean
}

const memory = '# Memory\n\n## Mine\n- kept\n\n## Claw\n- old-1\n\n<!-- end -->\n'

export const storePrograms: readonly StoreProgram[] = [
  { worker: 'append-record', old: [], look: lookAtLog },
  { worker: 'append-record', old: ['old-1', 'old-2'], look: lookAtLog },
  {
    worker: 'append-record',
    old: ['old-1', 'old-2'],
    look: lookAtLog,
    start: dir => writeFileSync(logFile(dir), '{"id":"torn', { flag: 'a' }),
  },
  { worker: 'replace-file', old: ['old-1'], look: lookAtState },
  { worker: 'claim-slot', old: [], look: lookAtSlots },
  { worker: 'lease-and-commit', old: ['old-1'], look: lookAtLog },
  {
    worker: 'edit-shared',
    old: ['old-1'],
    start: dir => writeFileSync(join(dir, 'MEMORY.md'), memory),
    look: lookAtMemory,
  },
]

export const naiveProgram: StoreProgram = { worker: 'naive-store', old: ['old-1'], look: lookAtBoth }

/** The program with one new id; afterwards the same id again and a next one, without a fault. */
export async function sweepOf(
  program: StoreProgram,
  faults: (calls: readonly FileCall[]) => Fault[],
): Promise<Sweep> {
  const worker = await workerPath(program.worker)
  const run = (dir: string, ids: string[]): Promise<Outcome> =>
    runProgram({ argv: [worker, dir, ...ids], dir })
  return {
    name: program.worker,
    faults,
    program: dir => ({ argv: [worker, dir, 'new'] }),
    async start(dir) {
      const writesOld = program.worker !== 'edit-shared' && program.old.length > 0
      if (writesOld) await run(dir, program.old)
      program.start?.(dir)
    },
    async judge(dir, outcome) {
      const after = afterFault(program, dir, outcome)
      const again = await run(dir, ['new', 'next'])
      return [...after, ...afterAgain(program, dir, again)]
    },
  }
}

function afterFault(program: StoreProgram, dir: string, outcome: Outcome): string[] {
  return looking(program, dir, ({ ids, isTorn = false }) => {
    const { exitCode, signal, stdout } = outcome
    const isAcked = stdout.includes('ACK new')
    const problems = program.old.filter(id => timesIn(ids, id) !== 1).map(id => `${id} is lost or doubled`)
    if (timesIn(ids, 'new') > 1) problems.push('recorded twice')
    if (isAcked && timesIn(ids, 'new') === 0) problems.push('acknowledged and lost')
    if (exitCode === 0 && !isAcked) problems.push('exit 0 without an acknowledgement')
    if (exitCode !== undefined && ![0, 74, 75].includes(exitCode)) problems.push(`exit ${exitCode}`)
    if (exitCode === 75 && ids.includes('new')) problems.push('exit 75, but it is recorded')
    if (isTorn && signal === undefined && exitCode !== 74 && !isTornAtStart(program))
      problems.push('a living process left a torn line')
    return problems
  })
}

function afterAgain(program: StoreProgram, dir: string, again: Outcome): string[] {
  if (again.exitCode !== 0) return [`the next run fails: ${again.stderr.slice(0, 300)}`]
  return looking(program, dir, ({ ids, isTorn = false }) => {
    const wrong = [...program.old, 'new', 'next'].filter(id => timesIn(ids, id) !== 1)
    const problems = wrong.map(id => `${id} is there ${timesIn(ids, id)} times after the retry`)
    if (isTorn) problems.push('still torn after the next run')
    return problems
  })
}

function looking({ look }: StoreProgram, dir: string, judge: (seen: Seen) => string[]): string[] {
  try {
    return judge(look(dir))
  } catch (error) {
    return [`damaged: ${error instanceof Error ? error.message.slice(0, 200) : ''}`]
  }
}

/** Only a run that got as far as its append heals it. */
function isTornAtStart({ start, look }: StoreProgram): boolean {
  return start !== undefined && look === lookAtLog
}

function timesIn(ids: readonly string[], id: string): number {
  return ids.filter(other => other === id).length
}

function lookAtLog(dir: string): Seen {
  const { records, bad, torn } = readLog(nodeDisk, logFile(dir))
  if (bad.length > 0) throw new Error(`line ${bad[0]?.line} of the log`)
  return { ids: records.map(record => (record as { id: string }).id), isTorn: torn !== undefined }
}

function lookAtState(dir: string): Seen {
  return JSON.parse(readFileSync(join(dir, 'state.json'), 'utf8')) as Seen
}

function lookAtBoth(dir: string): Seen {
  const log = lookAtLog(dir)
  const { ids } = lookAtState(dir)
  if (ids.some(id => !log.ids.includes(id))) throw new Error('the state knows more than the log')
  return log
}

function lookAtSlots(dir: string): Seen {
  const names = nodeDisk.list(join(dir, 'slots', 'ainews'))?.map(entry => entry.name) ?? []
  const ids = names.filter(name => !isDraft(name))
  for (const id of ids) {
    const text = readFileSync(join(dir, 'slots', 'ainews', id), 'utf8')
    if (text !== `${JSON.stringify({ id })}\n`) throw new Error(`the claim on ${id} is half there`)
  }
  return { ids }
}

function lookAtMemory(dir: string): Seen {
  const text = readFileSync(join(dir, 'MEMORY.md'), 'utf8')
  if (!text.endsWith('<!-- end -->\n') || !text.includes('- kept\n'))
    throw new Error('a line of the person is gone')
  const backups = join(dir, '.claw', 'backups')
  for (const name of nodeDisk.list(backups)?.map(entry => entry.name) ?? []) {
    const kept = readdirSync(join(backups, name)).filter(copy => !isDraft(copy))
    const cut = kept.find(copy => !readFileSync(join(backups, name, copy), 'utf8').endsWith('<!-- end -->\n'))
    if (cut !== undefined) throw new Error(`the backup ${cut} is half there`)
  }
  return { ids: [...text.matchAll(/^- (old-1|new|next)$/gm)].map(([, id]) => id ?? '') }
}
