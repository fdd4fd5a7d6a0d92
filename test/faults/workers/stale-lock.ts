import { mkdirSync, readFileSync, rmdirSync, statSync, utimesSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { errnoName } from '../../../src/world/node-errno.ts'

/** The twin: a lock that counts as left behind when it is older than STALE_MS, and a counter below it. */
const [dir = '', id = ''] = process.argv.slice(2)
const staleMs = Number(process.env['STALE_MS'] ?? 100)
const lock = join(dir, 'stale.lock.d')
const state = join(dir, 'state.json')
if (!take()) {
  writeSync(2, 'claw: the lock is busy\n')
  process.exit(6)
}
const { ids } = JSON.parse(readFileSync(state, 'utf8')) as { ids: string[] }
writeFileSync(`${state}.draft`, '')
writeFileSync(state, JSON.stringify({ ids: [...ids, id] }))
rmdirSync(lock)
writeSync(1, `ACK ${id}\n`)

function take(): boolean {
  try {
    mkdirSync(lock)
    utimesSync(lock, new Date(), new Date())
    return true
  } catch (error) {
    if (errnoName(error) !== 'EEXIST') throw error
  }
  if (Date.now() - statSync(lock).mtimeMs < staleMs) return false
  rmdirSync(lock)
  mkdirSync(lock)
  return true
}
