import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { repoDir } from '../shared.ts'

export const errorActs = ['ENOSPC', 'EIO', 'EDQUOT', 'EROFS'] as const
export const shortActs = ['SHORT', 'SHORTERR'] as const
export const killActs = ['KILL', 'TORN', 'KILLAFTER'] as const

export type Act = (typeof errorActs)[number] | (typeof shortActs)[number] | (typeof killActs)[number] | 'STOP'

/** What happens at the `at`-th file call, from 1. */
export interface Fault {
  at: number
  act: Act
  /** Every later call fails too; for errors. */
  sticky?: boolean
}

export interface FileCall {
  call: string
  path: string
  /** True for a call that the fault changed. */
  isHit: boolean
}

export interface Program {
  argv: readonly string[]
  /** Only calls at or below this folder count. */
  dir: string
  env?: Readonly<Record<string, string>>
}

export interface Outcome {
  /** Undefined when a signal ended it. */
  exitCode: number | undefined
  signal: NodeJS.Signals | undefined
  stdout: string
  stderr: string
  calls: FileCall[]
}

/** Folder of a scripted channel: what happens there happens elsewhere, so no fault of ours reaches it. */
export const farSide = 'far-side'

/** A program that runs longer hangs: it is killed, and its signal says so. */
const hangMs = 60_000

let built: { path: string } | { reason: string } | undefined
let logCount = 0

/** Why faults cannot be injected here; undefined when they can. Compiles the shim at first use. */
export function shimReason(): string | undefined {
  built ??= build()
  return 'reason' in built ? built.reason : undefined
}

/** `reason` for the `skip` of a test, printed once a file. */
export function skipWithoutShim(): string | false {
  const reason = shimReason()
  if (reason !== undefined) console.log(`# left out: ${reason}`)
  return reason ?? false
}

/** Runs node with the fault, or only counts the calls; resolves when it ended. */
export async function runProgram({ argv, dir, env }: Program, fault?: Fault): Promise<Outcome> {
  const log = logPath()
  const child = spawn(process.execPath, argv, {
    env: { ...process.env, ...env, ...faultEnv(dir, log, fault) },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: hangMs,
    killSignal: 'SIGABRT',
  })
  const texts = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text))
  }
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>(resolve =>
    child.on('close', (...end) => resolve(end)),
  )
  return { exitCode: code ?? undefined, signal: signal ?? undefined, ...texts, calls: readCalls(log) }
}

/** The environment that loads the shim; the program is then started in any way. */
export function faultEnv(dir: string, log: string, fault?: Fault): Record<string, string> {
  return {
    LD_PRELOAD: shimPath(),
    FAULT_DIR: realpathSync(dir),
    FAULT_EXCEPT: join(realpathSync(dir), farSide),
    FAULT_AT: String(fault?.at ?? 0),
    FAULT_DO: fault?.act ?? 'KILL',
    FAULT_STICKY: fault?.sticky ? '1' : '0',
    FAULT_LOG: log,
  }
}

export function logPath(): string {
  return `${shimPath()}.${logCount++}.log`
}

/** Reads the log and removes it. */
export function readCalls(log: string): FileCall[] {
  const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1)
  rmSync(log)
  return lines.map(line => {
    const [, call = '', path = ''] = /^!?\d+ (\S+) (.*)$/.exec(line) ?? []
    return { call, path, isHit: line.startsWith('!') }
  })
}

/** For people: "TORN, sticky, at call 3". */
export function faultInWords({ at, act, sticky }: Fault): string {
  return `${act}${sticky ? ', sticky,' : ''} at call ${at}`
}

function shimPath(): string {
  built ??= build()
  if ('reason' in built) throw new Error(built.reason)
  return built.path
}

function build(): { path: string } | { reason: string } {
  if (process.platform !== 'linux') return { reason: 'file faults are injected on Linux only' }
  const dir = mkdtempSync(join(tmpdir(), 'claw-faultfs-'))
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
  const path = join(dir, 'faultfs.so')
  const source = join(repoDir, 'test', 'faults', 'faultfs.c')
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', path, source, '-ldl', '-lpthread'], {
      stdio: 'pipe',
    })
    return { path }
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : ''
    return { reason: `no C compiler for the fault shim (${why})` }
  }
}
