import type { Config } from '../../core/config.ts'
import type { World } from '../../world/world.ts'
import type { RunPorts } from '../ports.ts'
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
}
