import { recordPushed } from '../../kits/ainews/pushed-list.ts'
import { collectorCache } from '../../records/collector-cache.ts'
import { lockFile } from '../../records/paths.ts'
import { withLock } from '../../store/lock.ts'
import type { Gathered } from './gather.ts'
import type { RunContext } from './open-run.ts'

/** What an accepted report had to choose from is not gathered again for a week. */
export async function recordAsPushed(run: RunContext, { items }: Gathered): Promise<void> {
  const urls = items
    .map(item => (typeof item.extra?.['canonical'] === 'string' ? item.extra['canonical'] : item.url))
    .filter(url => url !== '')
  if (urls.length === 0) return
  const cache = collectorCache(run.world, run.root, run.agent, { isReadOnly: false })
  const notes = await withLock(run.world, lockFile(run.root, `collect-${run.agent}`), () =>
    recordPushed(cache, urls, run.world.clock.now()),
  )
  for (const note of notes) run.warn(note)
}
