import type { CollectContext } from '../../agent/collector.ts'
import { dayMs, fromIso, toIso } from '../../core/millis.ts'

/** What `{date}` and the like stand for in this run, and `{yesterday}`, the day before its day. */
export function dayNames({ names }: Pick<CollectContext, 'names'>): Record<string, string> {
  const day = fromIso(`${names['date']}T00:00:00Z`)
  return day === undefined ? { ...names } : { ...names, yesterday: toIso(day - dayMs).slice(0, 10) }
}
