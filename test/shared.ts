import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

/** The checkout's own folder. */
export const repoDir = fileURLToPath(new URL('..', import.meta.url))

/**
 * A path of the optional material beside the checkout, or undefined with a
 * printed reason. Tests that use it are extra; the project's own inputs suffice.
 */
export function sharedPath(...parts: string[]): string | undefined {
  const path = join(repoDir, '..', 'shared', ...parts)
  if (existsSync(path)) return path
  console.log(`# left out: ${join('..', 'shared', ...parts)} is not beside this checkout`)
  return undefined
}
