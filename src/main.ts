import { readFileSync, writeFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import packageJson from '../package.json' with { type: 'json' }

/** The folder of the bundle. */
const folder = import.meta.dirname
/** Files whose compiled code lies beside them, for exactly the Node that built them. */
const compiledAhead = ['./start.js', './undici-client.js']
const isMaking = process.env['CLAW_CODE_CACHE'] === 'write'
const requireOwn = createRequire(join(folder, 'start.js'))

const [word, ...more] = process.argv.slice(2)
if ((word === '--version' || word === '-V') && more.length === 0) console.log(packageJson.version)
else if (!isIdleTick()) {
  // Node 22 and later keep compiled code by themselves, for what follows.
  ;(module as { enableCompileCache?: () => unknown }).enableCompileCache?.()
  load('./start.js')
}

/** Most minutes the scheduler's wake-up has nothing to do, and a small file knows. */
function isIdleTick(): boolean {
  const argv = process.argv.slice(2)
  if (!argv.includes('tick')) return false
  const { wasIdle } = load('./idle-tick.js') as typeof import('./idle-tick.ts')
  return wasIdle(argv, process.env)
}

/** As `require`; compiling takes a third of a short run, so it is done ahead where it can be. */
function load(name: string): unknown {
  if (!compiledAhead.includes(name)) return requireOwn(name)
  const file = join(folder, name)
  const cacheFile = `${file}.${process.version}-${process.arch}.cache`
  const cachedData = isMaking ? undefined : readCache(cacheFile)
  if (!cachedData && !isMaking) return requireOwn(name)
  const source = module.wrap(readFileSync(file, 'latin1'))
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) })
  if (isMaking) process.on('exit', () => writeFileSync(cacheFile, script.createCachedData()))
  const own = { exports: {} }
  const body = script.runInThisContext() as (...names: unknown[]) => void
  body(own.exports, load, own, file, folder)
  return own.exports
}

function readCache(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
