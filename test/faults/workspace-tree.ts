import { readFileSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isDraft } from '../../src/store/atomic-file.ts'
import { readLog } from '../../src/store/log.ts'
import { nodeDisk } from '../../src/world/node-disk.ts'

/** Can be made again, or is moved on by each command. */
const passing = /^\.claw\/(index|locks|leases|outbox)\//

/** Paths of all files but drafts, relative to `dir`. */
export function filesOf(dir: string): string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true })
  const files = entries.filter(entry => entry.isFile() && !isDraft(entry.name))
  return files.map(entry => relative(dir, join(entry.parentPath, entry.name))).sort()
}

/** What `dir` lacks of the tree `start`, or has in another form; logs may have grown. A part may lack files. */
export function lossesSince(start: string, dir: string, { isPart = false } = {}): string[] {
  const there = new Set(filesOf(dir))
  return filesOf(start)
    .filter(path => !passing.test(path))
    .flatMap(path => (there.has(path) ? changeOf(path, start, dir) : isPart ? [] : [`${path} is gone`]))
}

/** Files that no reader could use: half a JSON, a damaged line in the middle of a log. */
export function damageIn(dir: string): string[] {
  return filesOf(dir).flatMap(path => {
    if (path.endsWith('.jsonl'))
      return readLog(nodeDisk, join(dir, path)).bad.map(({ line }) => `${path}:${line} is damaged`)
    if (path.endsWith('.json') && !isJson(readFileSync(join(dir, path), 'utf8')))
      return [`${path} is no JSON`]
    return []
  })
}

function changeOf(path: string, start: string, dir: string): string[] {
  const before = readFileSync(join(start, path))
  const after = readFileSync(join(dir, path))
  if (path.endsWith('.json')) return []
  if (!path.endsWith('.jsonl')) return before.equals(after) ? [] : [`${path} was changed`]
  const whole = before.subarray(0, before.lastIndexOf(0x0a) + 1)
  return after.subarray(0, whole.length).equals(whole) ? [] : [`${path} lost a record`]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
