import type { Evidence, SourceReport } from './evidence.ts'
import { inMarkdown, linkTo, sentenceOf, withoutAddresses } from './extract-text.ts'

export interface ExtractMaterial {
  evidence: readonly Evidence[]
  sources: readonly SourceReport[]
  /** What the collectors say about the material, e.g. that it is a sample. */
  notes: readonly string[]
  /** Of the job's contract, in order; none means one list of the best. */
  sections: readonly string[]
  /** Linked items that the contract asks for in all. */
  minItems: number
  title: string
  /** Date and weekday as the prompt gives them. */
  dateLine: string
}

const leastInLead = 10
const mostInOther = 10
const pointsOfRewrite = 3
/** More remarks, or more unread sources, are not read one by one. */
const mostOneByOne = 8

/**
 * A report without a model: what was gathered, ranked and quoted. It invents nothing,
 * counts nothing.
 */
export function composeExtract(material: ExtractMaterial): string {
  const { title, dateLine } = material
  const head = [`# ${inMarkdown(title)}`, ...(dateLine === '' ? [] : [inMarkdown(dateLine)])]
  const body = material.evidence.length === 0 ? nothingGathered(material) : sectionBlocks(material)
  return `${[...head, ...body, ...unread(material.sources)].join('\n\n')}\n`
}

const noModel =
  '> No model was used for this report: no model of the chain could be reached or is configured. What follows is taken from the gathered sources as it stands, ranked by the interest profile, with nothing added.'

function nothingGathered({ notes }: ExtractMaterial): string[] {
  return [
    '> No model was used: no model of the chain could be reached or is configured, and nothing was gathered that could be quoted in its place. This is no answer to the request.',
    'To get an answer, name a provider under `models.providers` in `claw.yaml`, put its key into the environment or `.env`, list one of its models in the chain of this tier, and try it with `claw models test`. A local Ollama needs no key.',
    ...notes.map(note => inMarkdown(note)),
  ]
}

function sectionBlocks({ evidence, notes, sections, minItems }: ExtractMaterial): string[] {
  const ranked = [...evidence].sort(byWorth)
  const said = notes.slice(0, mostOneByOne).map(note => `> ${inMarkdown(note)}`)
  if (notes.length > mostOneByOne) said.push('> and more remarks, kept with the evidence of this run')
  const blocks = [[noModel, ...said].join('\n>\n')]
  for (const { name, lines } of plan(ranked, sections.length === 0 ? ['Top'] : sections, minItems)) {
    blocks.push(`## ${inMarkdown(name)}`)
    blocks.push(lines.length > 0 ? lines.join('\n') : 'Nothing was gathered for this section.')
  }
  return blocks
}

interface SectionPlan {
  name: string
  lines: string[]
}

/** Each item stands in one list only. The lead takes what the others leave, and enough to keep the contract. */
function plan(ranked: readonly Evidence[], sections: readonly string[], minItems: number): SectionPlan[] {
  const linked = ranked.filter(({ url }) => url !== '')
  const taken = new Set<Evidence>()
  const [lead = 'Top', ...others] = sections
  const chosen = others.map(name => ({
    name,
    items: isRewrite(name) ? [] : take(itemsFor(name, linked), mostInOther, taken),
  }))
  const inOthers = chosen.reduce((sum, { items }) => sum + items.length, 0)
  const leadItems = isPapers(lead) ? itemsFor(lead, linked) : linked
  const top = take(leadItems, Math.max(leastInLead, minItems - inOthers), taken)
  const best = top.length > 0 ? top : linked
  return [
    { name: lead, lines: [...top.map(itemLine), ...unlinkedLines(ranked)] },
    ...chosen.map(({ name, items }) => ({
      name,
      lines: isRewrite(name) ? best.slice(0, pointsOfRewrite).map(rewriteLine) : items.map(itemLine),
    })),
  ]
}

function take(items: readonly Evidence[], most: number, taken: Set<Evidence>): Evidence[] {
  const free = items.filter(item => !taken.has(item)).slice(0, most)
  for (const item of free) taken.add(item)
  return free
}

function byWorth(left: Evidence, right: Evidence): number {
  return (
    right.score - left.score ||
    right.stars - left.stars ||
    compareText(right.published, left.published) ||
    compareText(left.url, right.url) ||
    compareText(left.id, right.id)
  )
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

function isPapers(section: string): boolean {
  return /\bpapers?\b|论文/i.test(section)
}

function isRewrite(section: string): boolean {
  return /\brewrite\b|\btalking points?\b|改写/i.test(section)
}

/** By category for papers, else by the words of the section's name. */
function itemsFor(section: string, items: readonly Evidence[]): Evidence[] {
  if (isPapers(section)) return items.filter(({ category }) => /^papers?$/i.test(category))
  const words = section
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 1)
  return items.filter(({ category, title }) => {
    const text = `${category} ${title}`.toLowerCase()
    const found = new Set(text.split(/[^\p{L}\p{N}]+/u))
    return words.some(word => found.has(word) || (/[^\p{ASCII}]/u.test(word) && text.includes(word)))
  })
}

/** Stars, title as a link, source, date, one sentence. */
function itemLine(item: Evidence): string {
  const from = [item.source, item.published.slice(0, 10)]
    .filter(part => part !== '')
    .map(inMarkdown)
    .join(', ')
  const sentence = sentenceOf(item.summary)
  return `- ${starSigns(item)} ${linkTo(item.title, item.url)} (${from})${sentence === '' ? '' : `: ${inMarkdown(sentence)}`}`
}

function rewriteLine(item: Evidence): string {
  const sentence = sentenceOf(item.summary)
  return `- ${linkTo(item.title, item.url)}${sentence === '' ? '' : `: ${inMarkdown(sentence)}`}`
}

/** Material without an address (a local file, a tool's table) is quoted, not listed as an item. */
function unlinkedLines(items: readonly Evidence[]): string[] {
  const plain = items.filter(({ url }) => url === '')
  if (plain.length === 0) return []
  return [
    '',
    ...plain.flatMap(item => [
      '',
      `**${inMarkdown(item.title)}** (${inMarkdown(item.source)}): ${inMarkdown(withoutAddresses(item.summary))}`,
    ]),
  ]
}

function starSigns({ stars }: Evidence): string {
  const filled = Math.min(5, Math.max(1, Math.round(stars)))
  return '★'.repeat(filled) + '☆'.repeat(5 - filled)
}

/** Every source that could not be read is named; many of them by reason. */
function unread(sources: readonly SourceReport[]): string[] {
  const failed = sources
    .filter(({ state }) => state === 'failed')
    .map(({ name, why }) => ({
      name: inMarkdown(name),
      why: inMarkdown(why ?? 'no reason given'),
    }))
  if (failed.length === 0) return []
  const head = 'Sources that could not be read:'
  if (failed.length <= mostOneByOne)
    return ['---', `${head} ${failed.map(({ name, why }) => `${name} (${why})`).join('; ')}.`]
  const reasons = [...new Set(failed.map(({ why }) => why))]
  return ['---', head, ...reasons.map(reason => `${reason}: ${namesOf(failed, reason)}.`)]
}

function namesOf(failed: readonly { name: string; why: string }[], reason: string): string {
  const names = failed.filter(({ why }) => why === reason).map(({ name }) => name)
  return names.join('; ')
}
