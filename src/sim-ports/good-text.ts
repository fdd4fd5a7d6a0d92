import { canonicalUrl } from '../core/canonical-url.ts'
import { checkProblems } from '../core/checks/run-checks.ts'
import type { Evidence } from '../core/evidence.ts'
import { isObject } from '../core/json-schema.ts'
import { parsedJson } from '../core/parsed-json.ts'

type Spec = Readonly<Record<string, unknown>>

/** What the prompt says will be checked. */
export function specIn(prompt: string): Spec {
  const [, list = ''] = prompt.split('Your text is checked by a program for:\n')
  const spec: Record<string, unknown> = {}
  for (const [, name, argument] of list.matchAll(/^- (\w+): (.+)$/gm))
    if (name && argument) spec[name] = parsedJson(argument)
  return spec
}

/** The addresses of the material, in its order. */
export function linksIn(prompt: string): string[] {
  const [, material = ''] = prompt.split('<material>\n')
  const [shown = ''] = material.split('\n</material>')
  return [...new Set(shown.match(/https?:\/\/[^\s)>\]"]+/g) ?? [])]
}

interface Material {
  spec: Spec
  links: readonly string[]
  /** Makes one day's text differ from the next. */
  words: string
}

/** All that the prompt is read for is the address. */
const unread: Omit<Evidence, 'id' | 'url'> = {
  title: '',
  summary: '',
  source: '',
  category: '',
  published: '2026-03-02T08:00:00Z',
  fetchedAt: '',
  hash: '',
  score: 0,
  stars: 1,
}

/** A text that keeps its contract, where one of the usual ways to write it does; else the plainest. */
export function goodText(material: Material): string {
  const { spec, links } = material
  const evidence = links.map((url, index): Evidence => ({ ...unread, id: `e${index + 1}`, url }))
  const key = `${JSON.stringify(spec)} ${links.length > 0}`
  const keeps = (way: Way): boolean =>
    checkProblems(spec, way(material), { evidence, canonical: canonicalUrl }).length === 0
  const way = known.get(key) ?? [plain, sourced, judged, judgedAndSourced, short].find(keeps) ?? plain
  known.set(key, way)
  return way(material)
}

type Way = (material: Material) => string

/** The checks of a job do not change, so its way is looked for once. */
const known = new Map<string, Way>()

const plain = (material: Material): string =>
  written(material, link => (link ? `[What the source says](${link}) as it stands` : 'no data was gathered'))

const sourced = (material: Material): string =>
  written(material, link =>
    link ? `Factor: [source](${link}), as of 2026-03-02 08:00, unchanged` : 'no data for this factor',
  )

const judged = (material: Material): string =>
  written(material, link => {
    const from = link ? ` [source](${link}),` : ''
    return `The picture stays calm;${from} confidence 70. Against it: a turn of the whole market would prove it wrong`
  })

const judgedAndSourced = (material: Material): string =>
  written(material, link => {
    const from = link ? ` ([source](${link}), 2026-03-02 08:00)` : ' (no data)'
    return `The picture stays calm${from}, confidence 70. Against it: a turn of the whole market would prove it wrong`
  })

const short = ({ words }: Material): string => `Stand up and drink ${words.split(' ')[0]} water.`

function written({ spec, links, words }: Material, item: (link: string | undefined) => string): string {
  const sections = Array.isArray(spec['sections']) ? spec['sections'].map(nameOf) : ['Report']
  const least = Math.max(typeof spec['minItems'] === 'number' ? spec['minItems'] : 0, sections.length, 3)
  const perSection = Math.ceil(least / sections.length)
  let next = 0
  const blocks = sections.map(name => {
    const items = Array.from({ length: perSection }, () => {
      const link = links.length === 0 ? undefined : links[next % links.length]
      next += 1
      return `- ${item(link)} (${words}).`
    })
    return `## ${name}\n\n${items.join('\n')}`
  })
  return `# Report\n\n${blocks.join('\n\n')}\n`
}

function nameOf(section: unknown): string {
  if (Array.isArray(section)) return String(section[0])
  if (isObject(section)) return String(section['name'] ?? Object.values(section)[0])
  return String(section)
}
