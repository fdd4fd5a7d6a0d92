import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A real folder that is gone when the test ends. */
export function tempDir(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'claw-test-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}
