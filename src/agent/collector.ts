import type { GatherResult } from '../core/evidence.ts'
import type { World } from '../world/world.ts'

export interface CollectContext {
  world: World
  /** Absolute path of the workspace; relative `file:` sources and lists resolve against it. */
  root: string
  /** Agent's time zone. */
  timeZone: string
  /** True with `--live`: use the `live` list in place of `list`. */
  live: boolean
  /** A private folder for caches of this agent (etags, pushed list), made by the collector when needed. */
  cacheDir: string
  signal: AbortSignal
  /** One line of progress for stderr. */
  progress: (line: string) => void
}

/** A deterministic gatherer, named in a job's `gather:`. Throws `ClawError` only for a wrong `with:`. */
export interface Collector {
  /** e.g. `feeds.collect` */
  name: string
  description: string
  collect(options: Record<string, unknown>, context: CollectContext): Promise<GatherResult>
}
