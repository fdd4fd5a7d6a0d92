import { ClawError } from '../core/claw-error.ts'
import { conflictLine } from './doc/conflict-marker.ts'
import { type DocParts, splitDoc } from './doc/doc-split.ts'
import { readFront } from './doc/front-matter.ts'
import type { TextPlace } from './json-error.ts'
import type { YamlPath } from './yaml/yaml-module.ts'
import { editYamlText } from './yaml.ts'

/** Markdown with frontmatter. */
export interface Doc {
  file: string
  /** The frontmatter; empty when there is none. Dates stay text. */
  value: Record<string, unknown>
  hasFrontmatter: boolean
  /** With \n line ends, whatever the file has. */
  body: string
  eol: '\n' | '\r\n'
  bom: boolean
  /** Line and column in the whole file, from 1; 1:1 without frontmatter. */
  locate(path: YamlPath): TextPlace
  /** The file as it is. */
  source: string
}

export interface DocChanges {
  /** Keys to set; undefined removes one. Keys that are not named stay. */
  value?: Record<string, unknown>
  /** With \n line ends. */
  body?: string
}

/**
 * Reads a document; a BOM and CRLF make no difference. Throws `config-invalid`
 * with file:line:column when the frontmatter cannot be read, is never closed or
 * is no mapping, and `conflict` for unresolved git conflict markers.
 */
export async function parseDoc(file: string, text: string): Promise<Doc> {
  const parts = partsOf(file, text)
  const { front, bodyStart, bom, eol } = parts
  const shape = { file, bom, eol, source: text, body: toLf(text.slice(bodyStart)) }
  if (front === undefined) {
    return { ...shape, value: {}, hasFrontmatter: false, locate: () => ({ line: 1, column: 1 }) }
  }
  const frontText = toLf(text.slice(front.start, front.end))
  const { value, locate } = await readFront({ file, text: frontText, firstLine: 2 }, parts.language)
  return { ...shape, value, hasFrontmatter: true, locate }
}

/** The document with the changes: what they do not name stays byte for byte, comments too. */
export async function printDoc(doc: Doc, changes: DocChanges): Promise<string> {
  const { front, bodyStart } = partsOf(doc.file, doc.source)
  const body =
    changes.body === undefined || changes.body === doc.body
      ? doc.source.slice(bodyStart)
      : withEol(changes.body, doc.eol)
  const keys = Object.entries(changes.value ?? {}).filter(([key, value]) => !isSame(doc.value[key], value))
  const head = doc.source.slice(0, bodyStart)
  if (keys.length === 0) return head + body
  const old = front === undefined ? '' : toLf(doc.source.slice(front.start, front.end))
  const edited = withEol(await editFront(doc, old, keys), doc.eol)
  if (front !== undefined)
    return doc.source.slice(0, front.start) + edited + doc.source.slice(front.end, bodyStart) + body
  return `${doc.bom ? '\ufeff' : ''}---${doc.eol}${edited}---${doc.eol}${body}`
}

async function editFront(doc: Doc, old: string, keys: [string, unknown][]): Promise<string> {
  const yaml = await import('yaml')
  let text = old
  for (const [key, value] of keys)
    text = editYamlText(yaml, { file: doc.file, text, firstLine: 2 }, [key], value)
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

function partsOf(file: string, text: string): DocParts {
  const line = conflictLine(text)
  if (line !== undefined) {
    throw new ClawError('conflict', `${file}:${line}: unresolved git conflict markers`, {
      hint: 'keep one side, or both, and remove the markers',
    })
  }
  const parts = splitDoc(text)
  if ('unclosed' in parts) {
    throw new ClawError('config-invalid', `${file}:1:1: the frontmatter is never closed by a line of ---`)
  }
  return parts
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function withEol(text: string, eol: '\n' | '\r\n'): string {
  return eol === '\n' ? text : toLf(text).replaceAll('\n', '\r\n')
}
