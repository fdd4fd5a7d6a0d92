import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'
import packageJson from '../package.json' with { type: 'json' }

/** By the build: the file that holds the part `start`. */
declare const startFile: string

/** Loads one part of the program, from the file of `dist/` that holds it. */
type Load = (file: string, part: string) => unknown
type Parts = Record<string, (load: Load) => unknown>

/** The folder of the bundle. */
const folder = import.meta.dirname
const isMaking = process.env['CLAW_CODE_CACHE'] === 'write'
const requireOwn = createRequire(join(folder, 'main.js'))
const files = new Map<string, Parts>()
const loaded = new Map<string, unknown>()

const [word, ...more] = process.argv.slice(2)
if ((word === '--version' || word === '-V') && more.length === 0) console.log(packageJson.version)
else if (!isIdleTick()) {
  // Node 22 and later keep compiled code by themselves, for what follows.
  ;(module as { enableCompileCache?: () => unknown }).enableCompileCache?.()
  load(startFile, 'start')
}

/** Most minutes the scheduler's wake-up has nothing to do, and a small file knows. */
function isIdleTick(): boolean {
  const argv = process.argv.slice(2)
  if (!argv.includes('tick')) return false
  const { wasIdle } = requireOwn('./idle-tick.js') as typeof import('./idle-tick.ts')
  return wasIdle(argv, process.env)
}

/** Each part runs once, however many ask for it, so that a class is one class everywhere. */
function load(file: string, part: string): unknown {
  if (!loaded.has(part)) loaded.set(part, partsIn(file)[part]!(load))
  return loaded.get(part)
}

function partsIn(file: string): Parts {
  const known = files.get(file)
  if (known) return known
  const opened = open(join(folder, `${file}.js`)) as Parts
  files.set(file, opened)
  return opened
}

/** As `require`; compiling takes a third of a short run, so it is done ahead for exactly the Node that built it. */
function open(file: string): unknown {
  const cacheFile = `${file}.${process.version}-${process.arch}.cache`
  const cachedData = isMaking ? undefined : readCache(cacheFile)
  if (!cachedData && !isMaking) return requireOwn(file)
  const source = module.wrap(readFileSync(file, 'latin1'))
  const script = new Script(source, { filename: file, ...(cachedData && { cachedData }) })
  if (isMaking) process.on('exit', () => keepCode(script, cacheFile))
  const own = { exports: {} }
  const body = script.runInThisContext() as (...names: unknown[]) => void
  body(own.exports, requireOwn, own, file, folder)
  return own.exports
}

/** What an earlier command has left there is enough. */
function keepCode(script: Script, file: string): void {
  if (!existsSync(file)) writeFileSync(file, script.createCachedData())
}

function readCache(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
