import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { repoDir } from '../shared.ts'

/** Where a review stops and the thing is split. */
const most = {
  sourceLines: 300,
  testLines: 400,
  functionLines: 60,
  commandLines: 80,
  folderFiles: 26,
  parameters: 6,
}

interface Text {
  path: string
  lines: string[]
}

function textsBelow(folder: string): Text[] {
  return readdirSync(join(repoDir, folder), { recursive: true })
    .map(name => join(folder, String(name)))
    .filter(path => path.endsWith('.ts'))
    .map(path => ({ path, lines: readFileSync(join(repoDir, path), 'utf8').trimEnd().split('\n') }))
}

function longer(texts: readonly Text[], limit: number): string[] {
  return texts
    .filter(({ lines }) => lines.length > limit)
    .map(({ path, lines }) => `${path}: ${lines.length} lines`)
}

/** A formatted function ends at the first line that closes at its own depth. */
function longFunctions({ path, lines }: Text): string[] {
  return lines.flatMap((line, at) => {
    const start =
      /^(\s*)(?:export )?(?:default )?(?:async )?(?:function\b|(?:static |async |get |set )*[#\w]+\(|const \w+.*=>)/.exec(
        line,
      )
    if (!start || !/[{(]$/.test(line) || /^\s*(?:if|for|while|switch|catch|return)\b/.test(line)) return []
    const depth = start[1]!
    const end = lines.findIndex(
      (later, index) => index > at && later.startsWith(`${depth}}`) && !/^\s*\}.*[{(]$/.test(later),
    )
    const length = end - at + 1
    return length > most.functionLines ? [`${path}:${at + 1}: ${length} lines`] : []
  })
}

function manyParameters({ path, lines }: Text): string[] {
  const heads = lines.join('\n').matchAll(/function (\w+)(?:<[^>]*>)?\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g)
  return [...heads].flatMap(([, name, list = '']) => {
    const flat = list
      .replace(/\{[^{}]*\}/g, '')
      .replace(/<[^<>]*>/g, '')
      .replace(/\([^()]*\)/g, '')
      .replace(/,\s*$/, '')
    return flat.split(',').length > most.parameters ? [`${path}: ${name}`] : []
  })
}

const source = textsBelow('src')

test('no file is longer than a reader can hold', () => {
  assert.deepEqual(longer(source, most.sourceLines), [])
  assert.deepEqual(longer(textsBelow('test'), most.testLines), [])
  assert.deepEqual(
    longer(
      source.filter(({ path }) => path.includes('cli/commands/')),
      most.commandLines,
    ),
    [],
  )
})

test('no function is longer than a screen, and none takes a row of parameters', () => {
  assert.deepEqual(source.flatMap(longFunctions), [])
  assert.deepEqual(source.flatMap(manyParameters), [])
})

test('no folder holds more files than can be looked over', () => {
  const count = new Map<string, number>()
  for (const { path } of source) count.set(dirname(path), (count.get(dirname(path)) ?? 0) + 1)
  console.log(
    `# fullest folders: ${[...count]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 3)
      .map(row => row.join(' '))
      .join(', ')}`,
  )
  assert.deepEqual(
    [...count].filter(([folder, files]) => files > most.folderFiles && folder !== 'src/core'),
    [],
  )
})

test('AGENTS.md fits a screen or two', () => {
  assert.ok(readFileSync(join(repoDir, 'AGENTS.md'), 'utf8').split('\n').length <= 120)
})

test('the rules catch what breaks them', () => {
  const body = Array.from({ length: 70 }, () => '  step()')
  const long = { path: 'a.ts', lines: ['export function long(): void {', ...body, '}'] }
  const short = { path: 'a.ts', lines: ['function short(): void {', '  step()', '}', ...body, '}'] }
  assert.deepEqual(longFunctions(long), ['a.ts:1: 72 lines'])
  assert.deepEqual(longFunctions(short), [])
  const many = {
    path: 'a.ts',
    lines: ['function many(a: A, b: Map<B, C>, c: C, d: D, e: E, f: F, { g, h }: G): void {'],
  }
  assert.deepEqual(manyParameters(many), ['a.ts: many'])
  assert.deepEqual(longer([long], 71), ['a.ts: 72 lines'])
})
