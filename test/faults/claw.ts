import { MockModel } from '../mock-model.ts'
import { commandPath } from './bundle.ts'
import { type Outcome, type Program, runProgram } from './shim.ts'

/** Runs the built command in a workspace. */
export interface Claw {
  (dir: string, argv: readonly string[], at?: string): Promise<Outcome>
  /** Of a model server on loopback that answers every question alike. */
  modelUrl: string
}

export const now = '2026-11-28T01:00:00Z'

/** The command line as a program that a fault can be put into. */
export function clawProgram(dir: string, argv: readonly string[], at = now): Program {
  const env = { CLAW_NOW: at, CLAW_WORKSPACE: dir, NO_COLOR: '1', TZ: 'UTC', HOME: dir }
  return { argv: [commandPath(), ...argv, '--quiet'], dir, env }
}

/** With a model server that goes on until `close`. */
export async function startClaw(): Promise<Claw & { close: () => void }> {
  const model = new MockModel(() => ({ text: 'Nothing of note happened today.' }))
  const modelUrl = await model.listen()
  const run = (dir: string, argv: readonly string[], at?: string): Promise<Outcome> =>
    runProgram(clawProgram(dir, argv, at))
  return Object.assign(run, { modelUrl, close: () => model.close() })
}
