import type { CollectContext, CollectorCache } from '../../../src/agent/collector.ts'
import type { World } from '../../../src/world/world.ts'

/** A cache in memory; `texts` is what it holds. */
export function memoryCache(
  texts: Record<string, string> = {},
): CollectorCache & { texts: Record<string, string> } {
  return {
    texts,
    read: name => texts[name],
    write: (name, text) => {
      texts[name] = text
    },
  }
}

/** What a collector is given, over this world. */
export function contextOf(world: World, more: Partial<CollectContext> = {}): CollectContext {
  return {
    world,
    root: '/ws',
    timeZone: 'UTC',
    names: {},
    isDry: false,
    live: false,
    cache: memoryCache(),
    signal: new AbortController().signal,
    progress: () => {},
    ...more,
  }
}

export function collector(name: string) {
  return async (options: Record<string, unknown>, context: CollectContext) => {
    const { ainewsCollectors } = await import('../../../src/kits/ainews/collectors.ts')
    const found = ainewsCollectors.find(one => one.name === name)
    if (!found) throw new Error(`no collector ${name}`)
    return found.collect(options, context)
  }
}
