import type { Document, LineCounter, YAMLError } from 'yaml'
import { ClawError } from '../core/claw-error.ts'
import type { TextPlace } from './json-error.ts'
import { type YamlModule, type YamlPath, keyOf } from './yaml/yaml-module.ts'
import { spliceYaml } from './yaml/yaml-splice.ts'

export type { YamlPath } from './yaml/yaml-module.ts'

export interface YamlDoc {
  /** Dates, times and `no` stay text, as in the YAML 1.2 core schema; null for an empty text. */
  value: unknown
  /** Where the key or item begins, from 1; of its nearest parent when it is not there. */
  locate(path: YamlPath): TextPlace
}

export interface YamlSource {
  /** Names the text in errors. */
  file: string
  text: string
  /** Line of the file on which the text begins, default 1. */
  firstLine?: number
}

/** Throws `config-invalid` with file:line:column for a syntax error, a repeated key or an alias bomb. */
export async function parseYaml(file: string, text: string): Promise<YamlDoc> {
  return readYaml(await import('yaml'), { file, text })
}

/**
 * Sets the value at `path`, or removes it when the value is undefined. Comments
 * and all other lines stay as they are, where the place allows it; else the
 * whole text is laid out again, still with its comments.
 */
export async function editYaml(text: string, path: YamlPath, value: unknown): Promise<string> {
  return editYamlText(await import('yaml'), { file: 'yaml', text }, path, value)
}

export function readYaml(yaml: YamlModule, source: YamlSource): YamlDoc {
  const lines = new yaml.LineCounter()
  const doc = parseChecked(yaml, source, lines)
  return {
    value: toValue(doc, source),
    locate: path => placeOf(lines, source, startOf(yaml, doc, path)),
  }
}

export function editYamlText(yaml: YamlModule, source: YamlSource, path: YamlPath, value: unknown): string {
  const doc = parseChecked(yaml, source, new yaml.LineCounter())
  const spliced = spliceYaml(yaml, { text: source.text, doc, path, value })
  if (value === undefined) doc.deleteIn(path)
  else doc.setIn(path, value)
  const laidOut = doc.toString({ lineWidth: 0 })
  if (spliced === undefined || !means(yaml, spliced, doc.toJS())) return laidOut
  return spliced
}

function parseChecked(yaml: YamlModule, source: YamlSource, lineCounter: LineCounter): Document.Parsed {
  const options = {
    version: '1.2',
    schema: 'core',
    uniqueKeys: true,
    prettyErrors: false,
    lineCounter,
  } as const
  const doc = guarded(source, () => yaml.parseDocument(source.text, options))
  const [error] = doc.errors
  if (error !== undefined) throw invalid(source, inWords(error), placeOf(lineCounter, source, error.pos[0]))
  return doc
}

function inWords(error: YAMLError): string {
  return error.code === 'DUPLICATE_KEY'
    ? 'this key is there twice'
    : (error.message.split('\n')[0] ?? error.code)
}

function toValue(doc: Document.Parsed, source: YamlSource): unknown {
  return guarded(source, (): unknown => doc.toJS({ maxAliasCount: 100 }))
}

/** What the library throws for aliases that explode, or nest without end. */
function guarded<T>(source: YamlSource, body: () => T): T {
  try {
    return body()
  } catch (error) {
    const why =
      error instanceof RangeError ? 'it is nested too deeply' : error instanceof Error ? error.message : ''
    throw invalid(source, why, { line: source.firstLine ?? 1, column: 1 })
  }
}

function invalid({ file }: YamlSource, why: string, { line, column }: TextPlace): ClawError {
  return new ClawError('config-invalid', `${file}:${line}:${column}: ${why}`)
}

function placeOf(lines: LineCounter, { firstLine = 1 }: YamlSource, offset: number): TextPlace {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(1, line) + firstLine - 1, column: Math.max(1, col) }
}

function startOf(yaml: YamlModule, doc: Document.Parsed, path: YamlPath): number {
  let node: unknown = doc.contents
  let start = doc.contents?.range[0] ?? 0
  for (const part of path) {
    if (yaml.isAlias(node)) node = node.resolve(doc)
    const found = yaml.isMap(node)
      ? node.items.find(item => keyOf(yaml, item.key) === String(part))
      : undefined
    const next = found
      ? found.value
      : yaml.isSeq(node) && typeof part === 'number'
        ? node.items[part]
        : undefined
    const shown = found ? found.key : next
    if (!yaml.isNode(shown)) return start
    start = shown.range?.[0] ?? start
    node = next
  }
  return start
}

function means(yaml: YamlModule, text: string, value: unknown): boolean {
  const doc = yaml.parseDocument(text, { version: '1.2', schema: 'core', prettyErrors: false })
  return doc.errors.length === 0 && JSON.stringify(sorted(doc.toJS())) === JSON.stringify(sorted(value))
}

/** A map's order carries no meaning. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  )
}
