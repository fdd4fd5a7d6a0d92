import type { Document, Pair, YAMLMap } from 'yaml'
import { type YamlModule, type YamlPath, keyOf } from './yaml-module.ts'

export interface YamlEdit {
  text: string
  doc: Document.Parsed
  path: YamlPath
  /** Undefined removes. */
  value: unknown
}

/**
 * The text with only the lines of one key changed; undefined when the key's
 * place does not allow it (inside flow style or a list, or a new nested key).
 * The caller checks that the result means what it should.
 */
export function spliceYaml(yaml: YamlModule, { text, doc, path, value }: YamlEdit): string | undefined {
  const key = path.at(-1)
  const map = path.length === 1 ? doc.contents : doc.getIn(path.slice(0, -1), true)
  if (typeof key !== 'string') return undefined
  if (map === null && path.length === 1)
    return value === undefined ? text : append(yaml, text, { [key]: value })
  if (!yaml.isMap(map) || map.flow === true) return undefined
  const index = map.items.findIndex(item => keyOf(yaml, item.key) === key)
  if (index === -1) {
    if (value === undefined) return text
    return path.length === 1 ? append(yaml, text, { [key]: value }) : undefined
  }
  const span = spanOf(yaml, text, map, index)
  if (span === undefined) return undefined
  const lineStart = text.lastIndexOf('\n', span.start - 1) + 1
  const indent = text.slice(lineStart, span.start)
  if (indent.trim() !== '') return undefined
  if (value === undefined) return removeLines(text, lineStart, span)
  const printed = print(yaml, { [key]: value }).replaceAll('\n', `\n${indent}`)
  return text.slice(0, span.start) + printed + text.slice(span.end)
}

interface Span {
  start: number
  /** After the value, before a comment that follows it. */
  end: number
}

function spanOf(yaml: YamlModule, text: string, map: YAMLMap, index: number): Span | undefined {
  const item: Pair | undefined = map.items[index]
  if (item === undefined || !yaml.isNode(item.key) || !yaml.isNode(item.value)) return undefined
  const [start] = item.key.range ?? []
  const [, end] = item.value.range ?? []
  if (start === undefined || end === undefined) return undefined
  // A block value's range goes on to the next line.
  return { start, end: start + text.slice(start, end).trimEnd().length }
}

function removeLines(text: string, lineStart: number, { end }: Span): string {
  const newline = text.indexOf('\n', end)
  return text.slice(0, lineStart) + (newline === -1 ? '' : text.slice(newline + 1))
}

function append(yaml: YamlModule, text: string, entry: Record<string, unknown>): string {
  const gap = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${text}${gap}${print(yaml, entry)}\n`
}

function print(yaml: YamlModule, entry: Record<string, unknown>): string {
  return yaml.stringify(entry, { version: '1.2', schema: 'core', lineWidth: 0 }).trimEnd()
}
