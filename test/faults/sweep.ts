import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Act,
  type Fault,
  type FileCall,
  type Outcome,
  type Program,
  errorActs,
  faultInWords,
  killActs,
  runProgram,
  shortActs,
} from './shim.ts'

export interface Sweep {
  name: string
  /** Makes the state that each run starts from. */
  start: (dir: string) => void | Promise<void>
  program: (dir: string) => Omit<Program, 'dir'>
  /** What is wrong after the run with the fault; goes on to run the program again without one. */
  judge: (dir: string, outcome: Outcome) => Promise<string[]>
  /** The faults to try, from the calls of a run without one. */
  faults: (calls: readonly FileCall[]) => Fault[]
}

export interface SweepResult {
  runs: number
  /** Calls of one run. */
  calls: number
  /** One line for each run that went wrong. */
  bad: string[]
  /** How often each exit code, or `killed`. */
  ends: Map<string, number>
}

/** Runs all faults, two at a time; stops after `maxBad` bad ones. */
export async function runSweep(
  sweep: Sweep,
  { maxBad = 20, onRun = () => {} }: SweepOptions = {},
): Promise<SweepResult> {
  const top = mkdtempSync(join(tmpdir(), 'claw-sweep-'))
  try {
    const first = join(top, 'start')
    mkdirSync(first)
    await sweep.start(first)
    const calls = await callsOf(sweep, top, first)
    const result: SweepResult = { runs: 0, calls: calls.length, bad: [], ends: new Map() }
    const todo = sweep.faults(calls)
    await Promise.all([1, 2].map(() => workOff(sweep, { top, first, todo, result, maxBad, onRun })))
    return result
  } finally {
    rmSync(top, { recursive: true, force: true })
  }
}

export interface SweepOptions {
  maxBad?: number
  onRun?: () => void
}

interface Work extends Required<SweepOptions> {
  top: string
  first: string
  todo: Fault[]
  result: SweepResult
}

async function callsOf(sweep: Sweep, top: string, first: string): Promise<FileCall[]> {
  const dir = freshCopy(top, first)
  const outcome = await runProgram({ ...sweep.program(dir), dir })
  if (outcome.exitCode !== 0) throw new Error(`${sweep.name} fails without a fault: ${outcome.stderr}`)
  const problems = await sweep.judge(dir, outcome)
  if (problems.length > 0) throw new Error(`${sweep.name} is wrong without a fault: ${problems.join('; ')}`)
  return outcome.calls
}

async function workOff(sweep: Sweep, { top, first, todo, result, maxBad, onRun }: Work): Promise<void> {
  for (let fault = todo.shift(); fault !== undefined && result.bad.length < maxBad; fault = todo.shift()) {
    const dir = freshCopy(top, first)
    const outcome = await runProgram({ ...sweep.program(dir), dir }, fault)
    const end = String(outcome.exitCode ?? 'killed')
    result.ends.set(end, (result.ends.get(end) ?? 0) + 1)
    result.runs++
    const problems = [...misbehaviour(outcome, fault), ...(await sweep.judge(dir, outcome))]
    if (problems.length > 0)
      result.bad.push(`${sweep.name}, ${where(outcome, fault, dir)}: ${problems.join('; ')}`)
    else rmSync(dir, { recursive: true, force: true })
    onRun()
  }
}

let copies = 0

function freshCopy(top: string, first: string): string {
  const dir = join(top, String(copies++))
  cpSync(first, dir, { recursive: true })
  return dir
}

function where({ calls }: Outcome, fault: Fault, dir: string): string {
  const hit = calls[fault.at - 1]
  return `${faultInWords(fault)} (${hit ? `${hit.call} ${hit.path.replace(dir, '.')}` : 'not reached'})`
}

/** What no program may do, whatever it is about. */
function misbehaviour({ exitCode, signal, stderr, calls }: Outcome, { act }: Fault): string[] {
  const problems: string[] = []
  if (signal !== undefined && signal !== 'SIGKILL') problems.push(`ended by ${signal}`)
  if (signal === 'SIGKILL' && !isKill(act)) problems.push('killed by nobody')
  if (exitCode === undefined || exitCode === 0 || !calls.some(call => call.isHit)) return problems
  const lines = stderr.split('\n').filter(line => line.startsWith('claw: '))
  if (lines.length !== 1) problems.push(`not one clear line but ${JSON.stringify(stderr.slice(0, 300))}`)
  if (/^\s+at |this is a bug/m.test(stderr)) problems.push('a stack in place of a sentence')
  return problems
}

export function isKill(act: Act): boolean {
  return (killActs as readonly Act[]).includes(act)
}

/** Every fault at every call: errors once and sticky, kills before, in and after. */
export function allFaults(calls: readonly FileCall[]): Fault[] {
  return calls.flatMap(({ call }, index) => {
    const at = index + 1
    const acts: Act[] = [
      ...errorActs,
      'KILL',
      'KILLAFTER',
      ...(call === 'write' ? [...shortActs, 'TORN' as const] : []),
    ]
    return acts.flatMap(act => {
      const isError = (errorActs as readonly Act[]).includes(act)
      return isError
        ? [
            { at, act },
            { at, act, sticky: true },
          ]
        : [{ at, act }]
    })
  })
}

/** `count` of them, spread over calls and kinds by a fixed rule, so that a failure comes again. */
export function sampleFaults(faults: readonly Fault[], count: number): Fault[] {
  if (faults.length <= count) return [...faults]
  // A step that is coprime to most lengths visits kinds and calls evenly.
  const step = faults.length / count
  return Array.from(
    { length: count },
    (_, index) => faults[Math.floor(index * step + (index % 7) * (step / 7)) % faults.length]!,
  )
}
