import { appendFileSync, existsSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { readJsonFile, replaceJson } from '../../../src/store/json-file.ts'
import { withLock } from '../../../src/store/lock.ts'
import { appendRecords } from '../../../src/store/log.ts'
import { workerWorld } from './each-id.ts'
import { logFile, padding } from './records.ts'

/**
 * `<dir> <name> <kind>`: until it is killed, takes the next number of a JSON
 * counter, appends a record with it, and acknowledges. The number is written
 * first, so one may be skipped but none comes twice.
 */
const [dir = '', name = '', kind = 'store'] = process.argv.slice(2)
const world = workerWorld()
const state = join(dir, 'state.json')
const lock = join(dir, kind === 'no-lock' ? `${name}.lock` : 'writers.lock')
const write = kind === 'naive' ? writeNaive : writeStore

void writeOn()

async function writeOn(): Promise<void> {
  for (let count = 0; ; count++) {
    const id = `${name}.${count}`
    await withLock(world, lock, held => write(held, id), { waitMs: 60_000 })
    writeSync(1, `${id}\n`)
  }
}

function writeStore(held: Parameters<typeof appendRecords>[0], id: string): void {
  const read = readJsonFile(world.disk, state)
  if (read.state === 'damaged') throw new Error(`the counter is damaged: ${read.why}`)
  const n = read.state === 'ok' ? (read.value as { n: number }).n + 1 : 1
  replaceJson(world, state, { n, padding })
  appendRecords(held, world.disk, logFile(dir), [{ id, n, padding }], { kind: 'storm' })
}

/** The twin: as one writes it first. */
function writeNaive(_held: unknown, id: string): void {
  const before = existsSync(state) ? (JSON.parse(readFileSync(state, 'utf8')) as { n: number }) : { n: 0 }
  const n = before.n + 1
  writeFileSync(state, JSON.stringify({ n, padding }))
  appendFileSync(logFile(dir), `${JSON.stringify({ id, n, padding })}\n`)
}
