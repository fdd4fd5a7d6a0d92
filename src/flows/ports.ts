import type { Collector } from '../agent/collector.ts'
import type { AskModel } from '../agent/model.ts'
import type { Channel } from '../adapters/channels/channel.ts'
import type { Config } from '../core/config.ts'
import type { SharedLocks } from '../world/shared-locks.ts'

export interface ChannelRequest {
  name: string
  config: Config['channels'][string]
  root: string
  /** `config.url` with its secrets filled in. */
  url: string | undefined
}

export interface Launched {
  /** Null when it was killed, or could not be started. */
  exitCode: number | null
  /** Its last words on stderr; empty when it said nothing. */
  lastLine: string
}

/** The real adapters, chosen by `start.ts` alone and loaded when they are first used. */
export interface RunPorts {
  ask: AskModel
  collectors: () => Promise<readonly Collector[]>
  /** Only asked for where `claw.yaml` says `volume: shared`. */
  sharedLocks: () => Promise<SharedLocks>
  channel: (request: ChannelRequest) => Promise<Channel>
  /** Runs `claw` with these arguments as a process of its own, until it ends. */
  launch: (argv: readonly string[]) => Promise<Launched>
}
