import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../shared.ts'

function missingFiles(page: string): string[] {
  const named = [...page.matchAll(/`([a-z]+\/[\w./-]+\.ts)`/g)].map(match => match[1]!)
  assert.ok(named.length > 0)
  return named.filter(path => !existsSync(join(repoDir, 'src', path)))
}

test('every file that docs/failures.md names exists', () => {
  assert.deepEqual(missingFiles(readFileSync(join(repoDir, 'docs', 'failures.md'), 'utf8')), [])
})

test('a file that is gone is noticed', () => {
  assert.deepEqual(missingFiles('| x | `core/gone.ts`, `core/job.ts` |'), ['core/gone.ts'])
})
