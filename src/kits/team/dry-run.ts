import type { CollectContext } from '../../agent/collector.ts'

const probe = 'keeps.txt'

/** The cache of a dry run keeps nothing: a collector that acts asks this first. */
export function keepsNothing({ cache, world }: Pick<CollectContext, 'cache' | 'world'>): boolean {
  const mark = world.random.hex(8)
  cache.write(probe, mark)
  return cache.read(probe) !== mark
}
