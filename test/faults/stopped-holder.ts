import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { faultEnv, logPath } from './shim.ts'

/** A process that stands still before one of its file calls, as on a laptop that was closed there. */
export interface StoppedHolder {
  pid: number
  /** False when it ended before it came to that call. */
  isStopped: boolean
  /** Wakes it, or kills it, and tells its exit code; undefined for a kill. */
  wake(): Promise<number | undefined>
  kill(): Promise<void>
}

export async function stopAtCall(
  argv: readonly string[],
  dir: string,
  at: number,
  env: Readonly<Record<string, string>> = {},
): Promise<StoppedHolder> {
  const log = logPath()
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...env, ...faultEnv(dir, log, { at, act: 'STOP' }) },
    stdio: 'ignore',
  })
  const ended = new Promise<number | undefined>(resolve =>
    child.on('exit', code => resolve(code ?? undefined)),
  )
  const endWith = (signal: NodeJS.Signals): Promise<number | undefined> => {
    child.kill(signal)
    return ended.finally(() => rmSync(log, { force: true }))
  }
  return {
    pid: child.pid ?? 0,
    isStopped: await comesToRest(child),
    wake: () => endWith('SIGCONT'),
    kill: async () => void (await endWith('SIGKILL')),
  }
}

async function comesToRest(child: ChildProcess): Promise<boolean> {
  while (child.exitCode === null && child.signalCode === null) {
    if (stateOf(child.pid ?? 0) === 'T') return true
    await sleep(5)
  }
  return false
}

/** The letter of /proc/<pid>/stat: R, S, T for stopped, ... */
function stateOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2)[0]
  } catch {
    return undefined
  }
}
