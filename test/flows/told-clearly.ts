import assert from 'node:assert/strict'
import { type CommandEnd, errorLines } from './command-rig.ts'

/** What a command that met a fault must say: one line for people, and an exit code that tells cron the same. */
export function assertToldClearly(end: CommandEnd): CommandEnd {
  if (end.exitCode === 0) return end
  assert.ok([1, 74, 75].includes(end.exitCode), `exit ${end.exitCode}: ${end.err}`)
  assert.equal(errorLines(end).length, 1, `not one line: ${end.err}`)
  assert.doesNotMatch(end.err, /^\s+at |DiskError|ClawError|this is a bug/m)
  return end
}
