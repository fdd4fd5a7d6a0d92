import type { Millis } from '../millis.ts'

/** How claw is called on this host: absolute paths. */
export interface Program {
  nodePath: string
  scriptPath: string
  root: string
}

/** A job that the host's scheduler wakes by its own lines. */
export interface PlannedJob {
  agent: string
  name: string
  /** Five fields in `timeZone`. */
  expression: string
  timeZone: string
  /** Five fields each, in the zone of the host. */
  hostLines: readonly string[]
  /** How late a run may begin; undefined when a missed slot is never caught up. */
  withinMs: Millis | undefined
}

export interface Plan {
  program: Program
  hostZone: string
  jobs: readonly PlannedJob[]
  /** `<agent>/<job>` of enabled jobs that `claw tick` starts, each with the reason. */
  byTick: readonly { job: string; why: string }[]
  /** Lower-case hex of any text; names that are cut or shared by several workspaces end in some of it. */
  digest: (text: string) => string
}

export interface RenderedFile {
  name: string
  text: string
}

/** The arguments after the script. Each run ends with a record, so stdout is not needed and stderr tells failures. */
export function jobArgs(root: string, { agent, name }: Pick<PlannedJob, 'agent' | 'name'>): string[] {
  return ['-C', root, 'run', agent, name, '--slot', 'due', '--quiet']
}

export function tickArgs(root: string): string[] {
  return ['-C', root, 'tick', '--quiet']
}

/** Eight hex digits that stand for the workspace in the names of files. */
export function workspaceId({ program, digest }: Pick<Plan, 'program' | 'digest'>): string {
  return digest(program.root).slice(0, 8)
}
