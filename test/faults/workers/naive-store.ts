import { appendFileSync, existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { padding } from './records.ts'

/** The twin: the store that everybody writes first, which must be caught. */
const [dir = '', ...ids] = process.argv.slice(2)
const log = join(dir, 'records.jsonl')
const state = join(dir, 'state.json')
try {
  for (const id of ids) {
    const before = existsSync(state)
      ? (JSON.parse(readFileSync(state, 'utf8')) as { ids: string[] })
      : { ids: [] }
    if (before.ids.includes(id)) continue
    appendFileSync(log, `${JSON.stringify({ id, padding })}\n`)
    writeFileSync(state, JSON.stringify({ ids: [...before.ids, id], padding }))
    writeSync(1, `ACK ${id}\n`)
  }
} catch (error) {
  writeSync(2, `claw: ${error instanceof Error ? error.message : ''}\n`)
  process.exit(75)
}
