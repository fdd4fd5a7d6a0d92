import type { Config } from '../../core/config.ts'
import type { World } from '../../world/world.ts'

export interface Finding {
  /** error: something does not work or was damaged; warning: look at it; note: for information. */
  level: 'error' | 'warning' | 'note'
  check: string
  /** Relative to the workspace; empty when it is about no file. */
  path: string
  line?: number
  text: string
  /** What `--fix` would do, in words. */
  fix?: string
}

/** A finding with its repair, which is called after the file was copied. */
export interface Repairable extends Finding {
  repair?: () => void | Promise<void>
}

export interface CheckInput {
  world: World
  root: string
  /** Undefined when `claw.yaml` cannot be decoded; that is a finding of its own. */
  config: Config | undefined
  /** Names that a job may use. */
  collectors: readonly string[]
}

export type Check = (input: CheckInput) => Repairable[] | Promise<Repairable[]>
