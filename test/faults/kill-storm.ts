import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readJsonFile } from '../../src/store/json-file.ts'
import { readLog } from '../../src/store/log.ts'
import { nodeDisk } from '../../src/world/node-disk.ts'
import { workerPath } from './bundle.ts'
import { logFile } from './workers/records.ts'

export type WriterKind = 'store' | 'naive' | 'no-lock'

export interface Storm {
  kills: number
  kind: WriterKind
  /** Seeds the moments of the kills. */
  seed?: number
  writers?: number
  onKill?: (kills: number) => void
}

export interface StormResult {
  kills: number
  /** Records that a writer said it had written. */
  acks: number
  records: number
  /** Acknowledged and not there. */
  lost: number
  /** Ids, and numbers of the counter, that are there more than once. */
  doubled: number
  /** Lines in the middle that cannot be read, and a counter that cannot. */
  torn: number
  /** What writers said before they ended by themselves. */
  complaints: string[]
}

/** A writer lives this long after its first acknowledgement, at least and in addition. */
const lifeMs = { least: 5, more: 55 }

/** Keeps writers going on one folder and kills each at a random moment; then compares what they acknowledged with what is there. */
export async function killStorm({
  kills,
  kind,
  seed = 1,
  writers = 4,
  onKill = () => {},
}: Storm): Promise<StormResult> {
  const dir = mkdtempSync(join(tmpdir(), 'claw-storm-'))
  try {
    const state: StormState = {
      dir,
      kind,
      kills: 0,
      started: 0,
      wanted: kills,
      acks: [],
      complaints: [],
      random: randomFrom(seed),
      onKill,
    }
    await Promise.all(Array.from({ length: writers }, () => keepWriting(state)))
    return {
      kills: state.kills,
      acks: state.acks.length,
      complaints: state.complaints,
      ...compare(dir, state.acks),
    }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

export function isClean({ lost, doubled, torn, complaints }: StormResult): boolean {
  return lost + doubled + torn + complaints.length === 0
}

interface StormState {
  dir: string
  kind: WriterKind
  kills: number
  started: number
  wanted: number
  acks: string[]
  complaints: string[]
  random: () => number
  onKill: (kills: number) => void
}

async function keepWriting(state: StormState): Promise<void> {
  const worker = await workerPath('storm-writer')
  while (state.kills < state.wanted && state.complaints.length === 0) {
    const argv = [worker, state.dir, `w${state.started++}`, state.kind]
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] })
    await oneLife(state, child)
  }
}

async function oneLife(state: StormState, child: ChildProcess): Promise<void> {
  let complaint = ''
  let death: NodeJS.Timeout | undefined
  child.stderr?.on('data', text => (complaint += text))
  const lines = createInterface({ input: child.stdout! })
  lines.on('line', id => {
    state.acks.push(id)
    death ??= setTimeout(() => child.kill('SIGKILL'), lifeMs.least + lifeMs.more * state.random())
  })
  const linesEnd = new Promise(resolve => lines.on('close', resolve))
  const signal = await new Promise<NodeJS.Signals | null>(resolve =>
    child.on('close', (_code, by) => resolve(by)),
  )
  await linesEnd
  clearTimeout(death)
  if (signal === 'SIGKILL') state.onKill(++state.kills)
  else state.complaints.push(complaint.slice(0, 500))
}

function compare(
  dir: string,
  acks: readonly string[],
): Pick<StormResult, 'records' | 'lost' | 'doubled' | 'torn'> {
  const { records, bad } = readLog(nodeDisk, logFile(dir))
  const ids = records.map(record => (record as { id: string }).id)
  const numbers = records.map(record => (record as { n: number }).n)
  const there = new Set(ids)
  const counter = readJsonFile(nodeDisk, join(dir, 'state.json'))
  const isCounterGood =
    counter.state === 'ok' && (counter.value as { n: number }).n >= Math.max(0, ...numbers.slice(-1000))
  return {
    records: records.length,
    lost: acks.filter(id => !there.has(id)).length,
    doubled: ids.length - there.size + (numbers.length - new Set(numbers).size),
    torn: bad.length + (isCounterGood ? 0 : 1),
  }
}

/** A small generator of fractions: the same storm again for the same seed, as far as the machine allows. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
