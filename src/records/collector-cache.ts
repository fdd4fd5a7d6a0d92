import { join } from 'node:path'
import type { CollectorCache } from '../agent/collector.ts'
import { replaceFile } from '../store/atomic-file.ts'
import { readText } from '../store/text.ts'
import type { World } from '../world/world.ts'
import { collectorCacheDir } from './paths.ts'

/** A collector's own files (etags, the pushed list); a dry run reads them and writes none. */
export function collectorCache(
  world: World,
  root: string,
  agent: string,
  { isReadOnly }: { isReadOnly: boolean },
): CollectorCache {
  const pathOf = (name: string): string =>
    join(collectorCacheDir(root, agent), name.replaceAll(/[^\w.-]/g, '_'))
  return {
    read: name => readText(world.disk, pathOf(name)),
    write(name, text) {
      if (!isReadOnly) replaceFile(world, pathOf(name), text)
    },
  }
}
