import { join } from 'node:path'
import { type Claw, clawProgram } from './claw.ts'
import { type CommandCase } from './command-cases.ts'
import { type Fault, type FileCall, type Outcome, type Program, runProgram } from './shim.ts'
import type { Sweep } from './sweep.ts'
import { damageIn, lossesSince } from './workspace-tree.ts'

export interface CommandSweepOptions {
  faults: (calls: readonly FileCall[]) => Fault[]
  /** The doctor's word costs one more process a run; default only after a crash. */
  asksDoctor?: 'always' | 'after a crash'
  /** Another program in place of the command: the twin. */
  program?: (dir: string, argv: readonly string[], at?: string) => Program
}

/** The command with a fault; then the same once more, and the whole workspace is looked at. */
export function commandSweep(
  claw: Claw,
  one: CommandCase,
  { faults, asksDoctor, program = clawProgram }: CommandSweepOptions,
): Sweep {
  return {
    name: one.name,
    faults,
    start: dir => one.start(claw, dir),
    program: dir => program(dir, one.argv(dir), one.at),
    async judge(dir, outcome) {
      const lost = lossesSince(join(dir, '..', 'start'), dir)
      const problems = [...wrongEnd(outcome), ...lost, ...damageIn(dir), ...(one.after?.(dir, outcome) ?? [])]
      const again = await runProgram(program(dir, one.argv(dir), one.againAt ?? one.at))
      const isWell = again.exitCode === 0
      if (!isWell) problems.push(`the next run ends with ${again.exitCode}: ${again.stderr.slice(0, 300)}`)
      problems.push(...(await one.settled(claw, dir)), ...damageIn(dir))
      if (asksDoctor === 'always' || outcome.exitCode === undefined)
        problems.push(...(await doctorSays(claw, dir)))
      return problems
    },
  }
}

function wrongEnd({ exitCode, stderr }: Outcome): string[] {
  const isKnown = exitCode === undefined || [0, 1, 74, 75].includes(exitCode)
  return isKnown ? [] : [`exit ${exitCode}: ${stderr.slice(0, 200)}`]
}

async function doctorSays(claw: Claw, dir: string): Promise<string[]> {
  const { exitCode, stdout, stderr } = await claw(dir, ['doctor', '--json'])
  if (exitCode === 0) return []
  const { findings } = JSON.parse(stdout || '{"findings":[]}') as Report
  const errors = findings.filter(({ level }) => level === 'error').map(({ path, text }) => `${path}: ${text}`)
  return [`doctor: ${errors.join(', ') || stderr.slice(0, 200)}`]
}

interface Report {
  findings: { level: string; path: string; text: string }[]
}
