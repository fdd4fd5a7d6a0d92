import { canonicalUrl } from '../../../src/core/canonical-url.ts'
import { checkProblems } from '../../../src/core/checks/run-checks.ts'
import type { Evidence } from '../../../src/core/evidence.ts'

export function item(id: number, more: Partial<Evidence> = {}): Evidence {
  return {
    id: `e${id}`,
    url: `https://news.test/a/${id}`,
    title: `Title ${id}`,
    summary: '',
    source: `S${id % 3}`,
    category: 'media',
    published: '',
    fetchedAt: '',
    hash: '',
    score: 0,
    stars: 3,
    ...more,
  }
}

export const evidence = [
  item(1, { summary: 'Raised $1,234 million; 45.6% up; GPT-5.4; 3,214 stars; fell -3.2% today' }),
  item(2),
  item(3),
  item(4, { extra: { todayStars: 87 } }),
  item(5),
  item(6),
]

export function problems(spec: Record<string, unknown>, text: string, known = evidence): string[] {
  return checkProblems(spec, text, { evidence: known, canonical: canonicalUrl }).map(({ why }) => why)
}

export const good = `# Digest 2026-11-30

## 1. 🔥 Top

- [Title 1](https://news.test/a/1) raised 1,234 million, 45.6% up
- [Title 2](http://www.news.test/a/2/?utm_source=x)
  more about it
  - nested point

## Papers (2)

1. [Title 3][three] ★4
2. Title 4, 87 stars today: <https://news.test/a/4>

| no | title |
|---|---|
| 1 | [Title 5](https://news.test/a/5) |
| 2 | https://news.test/a/6 |

\`\`\`
- no item
| a | b |
\`\`\`

[three]: https://news.test/a/3
`
