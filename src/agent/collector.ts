import type { GatherResult } from '../core/evidence.ts'
import type { World } from '../world/world.ts'

/** Small named texts that outlive a run; written whole or not at all. */
export interface CollectorCache {
  /** Undefined when there is none of this name; throws when it is there and cannot be read. */
  read(name: string): string | undefined
  write(name: string, text: string): void
}

export interface CollectContext {
  world: World
  /** Absolute path of the workspace; relative `file:` sources and lists resolve against it. */
  root: string
  /** Agent's time zone. */
  timeZone: string
  /** What `{date}`, `{week}`, `{month}`, `{agent}` and `{job}` stand for in paths of this run. */
  names: Readonly<Record<string, string>>
  /** True with `--live`: use the `live` list in place of `list`. */
  live: boolean
  /** What this agent's collectors remember between runs (etags, pushed list). */
  cache: CollectorCache
  signal: AbortSignal
  /** A dry run: nothing is to be written. */
  isDry: boolean
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
