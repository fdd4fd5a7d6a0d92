import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Host } from './host.ts'

/** What takes time to find out is found out when it is asked for. */
export function nodeHost(): Host {
  let processStart: string | undefined
  let packageDir: string | undefined
  return {
    env: process.env,
    cwd: process.cwd(),
    pid: process.pid,
    execPath: process.execPath,
    get timeZone() {
      return new Intl.DateTimeFormat().resolvedOptions().timeZone
    },
    get homeDir() {
      return process.getBuiltinModule('node:os').homedir()
    },
    get hostname() {
      return process.getBuiltinModule('node:os').hostname()
    },
    get cpuCount() {
      return process.getBuiltinModule('node:os').availableParallelism()
    },
    freeMemoryBytes() {
      const os = process.getBuiltinModule('node:os')
      // macOS counts its file cache as used.
      return process.platform === 'darwin' ? os.totalmem() / 4 : os.freemem()
    },
    get processStart() {
      return (processStart ??= startOfThis())
    },
    get packageDir() {
      return (packageDir ??= folderOfTemplate(dirname(fileURLToPath(import.meta.url))))
    },
  }
}

/** Field 22 of the kernel's line, counted after the program name, which may hold blanks and brackets. */
export function startTicks(statLine: string): string | undefined {
  return statLine
    .slice(statLine.lastIndexOf(')') + 2)
    .split(' ')
    .at(22 - 3)
}

function startOfThis(): string {
  if (process.platform === 'linux') {
    const ticks = startTicks(readFileSync('/proc/self/stat', 'latin1'))
    if (ticks !== undefined) return ticks
  }
  return String(Math.floor(performance.timeOrigin))
}

/** The nearest folder above that ships the template, from the sources and from the bundle alike. */
function folderOfTemplate(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'workspace')) && existsSync(join(folder, 'package.json'))) return folder
    if (folder === dirname(folder)) throw new Error(`no workspace template in any folder above ${from}`)
  }
}
