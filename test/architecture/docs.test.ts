import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { cliMarkdown } from '../../src/cli/cli-markdown.ts'
import { commands } from '../../src/cli/table.ts'
import { checkNames } from '../../src/core/checks/run-checks.ts'
import { exitCodes } from '../../src/core/claw-error.ts'
import { ainewsCollectors } from '../../src/kits/ainews/collectors.ts'
import { teamCollectors } from '../../src/kits/team/collectors.ts'
import { repoDir } from '../shared.ts'

const read = (...parts: string[]): string => readFileSync(join(repoDir, ...parts), 'utf8')

test('docs/cli.md is made from the command table (npm run docs)', () => {
  assert.equal(read('docs', 'cli.md'), cliMarkdown(commands))
})

test('docs/exit-codes.md names every exit code', () => {
  const text = read('docs', 'exit-codes.md')
  for (const [name, code] of Object.entries(exitCodes)) {
    assert.match(text, new RegExp(`\\|\\s*${code}\\s*\\|\\s*\`${name}\``), `${name} ${code}`)
  }
})

test('docs/files.md names every path function', () => {
  const text = read('docs', 'files.md')
  const source = read('src', 'records', 'paths.ts') + read('src', 'store', 'state-dir.ts')
  const names = [...source.matchAll(/export const (\w+)/g)].map(match => match[1]!)
  assert.ok(names.length > 10)
  assert.deepEqual(
    names.filter(name => !text.includes(`\`${name}\``)),
    [],
  )
})

test('every command of the README is in the command table', () => {
  const lines = [...read('README.md').matchAll(/^\$?\s*claw (?:-C \S+ )?(.+)$/gm)].map(match => match[1]!)
  const known = commands.map(command => command.name)
  assert.ok(lines.length > 3)
  assert.deepEqual(
    lines.filter(line => !line.startsWith('-') && !known.some(name => line.startsWith(name))),
    [],
  )
})

test('every word of the glossary is used in the source', () => {
  const source = readdirSync(join(repoDir, 'src'), { recursive: true })
    .map(String)
    .filter(name => name.endsWith('.ts'))
    .map(name => read('src', name))
    .join('\n')
    .toLowerCase()
  const words = [...read('docs', 'glossary.md').matchAll(/^\| \*\*([^*]+)\*\*/gm)].map(match =>
    match[1]!.toLowerCase(),
  )
  assert.ok(words.length > 20, `${words.length} words`)
  assert.deepEqual(
    words.filter(word => !source.includes(word)),
    [],
  )
})

test('docs/jobs.md names every key of a job, every check and every collector', () => {
  const text = read('docs', 'jobs.md')
  const fields = /const fields = objectOf\(\{([\s\S]*?)\n\}\)/.exec(read('src', 'core', 'job.ts'))![1]!
  const keys = [...fields.matchAll(/^ {2}(\w+):/gm)].map(match => match[1]!)
  assert.ok(keys.length > 15, `${keys.length} keys`)
  const names = [
    ...keys,
    ...checkNames,
    ...[...ainewsCollectors, ...teamCollectors].map(collector => collector.name),
  ]
  assert.deepEqual(
    names.filter(name => !text.includes(`\`${name}\``)),
    [],
  )
})
