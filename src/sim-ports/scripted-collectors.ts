import type { Collector } from '../agent/collector.ts'
import type { EvidenceDraft } from '../core/evidence.ts'
import { toIso } from '../core/millis.ts'
import { localTime } from '../core/zone.ts'
import { sha256 } from '../world/hash.ts'

/** Those that would ask the network. The others read the workspace and are real. */
const networked = /^(feeds|arxiv|github|hn)\./

const mostItems = 8

/** News that are new each hour, in place of what the network would say. */
export function scriptedCollectors(collectors: readonly Collector[]): Collector[] {
  return collectors.map(collector => (networked.test(collector.name) ? scripted(collector) : collector))
}

function scripted({ name, description }: Collector): Collector {
  return {
    name,
    description,
    collect: async (options, { world: { clock }, timeZone }) => {
      const { max } = options
      const now = clock.now()
      const { date, time } = localTime(now, timeZone)
      const count = typeof max === 'number' ? Math.min(max, mostItems) : mostItems
      const items = Array.from({ length: count }, (_, index) =>
        item(`https://news.example/${name}/${date}/${time.slice(0, 2)}/${index + 1}`, index, toIso(now)),
      )
      return {
        items,
        sources: [{ name, url: 'https://news.example', state: 'ok', items: items.length }],
        ready: true,
        notes: [],
        counts: { items: items.length },
      }
    },
  }
}

/** Every third one is about what content may only have its share of. */
function item(url: string, index: number, at: string): EvidenceDraft {
  return {
    url,
    title: `Title ${index + 1}`,
    summary: 'It is out, and people talk about it.',
    source: `source-${index % 6}`,
    category: index % 3 === 0 ? 'ai' : 'media',
    published: at,
    fetchedAt: at,
    hash: sha256(url),
    score: 10 - (index % 10),
    stars: 1 + (index % 5),
  }
}
