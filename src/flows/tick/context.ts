import type { ClawError } from '../../core/claw-error.ts'
import type { Config } from '../../core/config.ts'
import type { World } from '../../world/world.ts'
import type { RunPorts } from '../ports.ts'
import type { HeldJobs } from './held-back.ts'
import type { TickReport } from './report.ts'

export interface TickSetup {
  world: World
  root: string
  ports: RunPorts
  /** One line of progress. */
  note: (line: string) => void
  /** One line that a person must see. */
  warn: (line: string) => void
  dryRun: boolean
}

export interface TickContext extends TickSetup {
  config: Config
  /** Filled in by the steps. */
  report: TickReport
  /** Jobs that rest because nothing could be recorded of them. */
  held: HeldJobs
  /** What could not be recorded of single jobs; each is told once. */
  problems: ClawError[]
  /** Jobs whose open slots could not get their end: the next tick tries it again. */
  unsettled: Set<string>
}
