// Runs the test files named on the command line, or all of them: node scripts/test.mjs [filter ...] [-- node options]
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const split = process.argv.indexOf('--')
const filters = process.argv.slice(2, split === -1 ? undefined : split)
const options = split === -1 ? [] : process.argv.slice(split + 1)

const files = readdirSync('test', { recursive: true })
  .map(name => join('test', String(name)))
  .filter(name => name.endsWith('.test.ts'))
  .filter(name => filters.length === 0 || filters.some(filter => name.includes(filter)))
  .sort()
if (files.length === 0) {
  console.error(`no test file matches ${filters.join(' ')}`)
  process.exit(2)
}
const run = spawnSync(
  process.execPath,
  ['--import', 'tsx', '--test', '--test-concurrency=2', '--test-reporter=spec', ...options, ...files],
  { stdio: 'inherit' },
)
process.exit(run.status ?? 1)
