import { createRequire } from 'node:module'
import { errnoName } from './node-errno.ts'

/** One non-blocking try for the exclusive lock of an open file: true when this process has it now. */
export type Flock = (fd: number) => boolean

/** `LOCK_EX | LOCK_NB`, the same number on Linux and the BSDs. */
const exclusiveNoWait = 6

/** EWOULDBLOCK of Linux. */
const wouldBlock = 11

/** What we use of koffi. */
interface Ffi {
  load(library: null): {
    func(name: string, result: string, parameters: string[]): (...args: number[]) => number
  }
  errno(): number
}

/** `flock(2)` of libc where koffi is installed, else the program `flock`, which takes the same lock. */
export function findFlock(): Flock {
  const ffi = loadFfi()
  return ffi ? libcFlock(ffi) : programFlock
}

/**
 * The native part itself first: koffi's own entry reads and inspects the node
 * binary to find it, which takes three times as long.
 */
function loadFfi(): Ffi | undefined {
  const require = createRequire(import.meta.url)
  const { platform, arch } = process
  const native = `@koromix/koffi-${platform}-${arch}`
  for (const name of [
    `${native}/${platform}_${arch}/koffi.node`,
    `${native}/musl_${arch}/koffi.node`,
    'koffi',
  ]) {
    try {
      return require(name) as Ffi
    } catch {
      // Not installed, or built for another libc: the next one.
    }
  }
  return undefined
}

function libcFlock(ffi: Ffi): Flock {
  const flock = ffi.load(null).func('flock', 'int', ['int', 'int'])
  return fd => {
    if (flock(fd, exclusiveNoWait) === 0) return true
    const errno = ffi.errno()
    if (errno === wouldBlock) return false
    throw Object.assign(new Error(`flock failed with errno ${errno}`), { code: 'ENOLCK' })
  }
}

/** The lock belongs to the open file, which this process and the program share, so it outlives the program. */
export function programFlock(fd: number): boolean {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const { status, error } = spawnSync('flock', ['-n', '-x', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  })
  if (status === 0) return true
  if (status === 1) return false
  const why = error ? errnoName(error) : `exit code ${status}`
  throw Object.assign(
    new Error(`no kernel lock: koffi is not installed and the program flock failed (${why})`),
    { code: 'ENOLCK' },
  )
}
