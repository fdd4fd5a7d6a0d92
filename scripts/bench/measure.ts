import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Command {
  name: string
  argv: readonly string[]
  /** Run before each time, not measured. */
  prepare?: () => void
}

export interface Timing {
  name: string
  /** Milliseconds of wall time. */
  medianMs: number
  minMs: number
}

/** Runs the commands in turn, `rounds` times each, so that noise hits all alike. Throws when one fails. */
export function timeInterleaved(node: string, commands: readonly Command[], rounds: number): Timing[] {
  const times = commands.map((): number[] => [])
  for (let round = -1; round < rounds; round++) {
    for (const [index, command] of commands.entries()) {
      command.prepare?.()
      const started = process.hrtime.bigint()
      const run = spawnSync(node, command.argv, { encoding: 'utf8', env: cleanEnv() })
      const ms = Number(process.hrtime.bigint() - started) / 1e6
      if (run.status !== 0)
        throw new Error(`${command.name} exited with ${run.status}: ${run.stderr.slice(0, 400)}`)
      if (round >= 0) times[index]!.push(ms)
    }
  }
  return commands.map(({ name }, index) => ({
    name,
    medianMs: median(times[index]!),
    minMs: Math.min(...times[index]!),
  }))
}

/** Peak resident memory of a whole process in MB, as the process itself reports it at its end. */
export function peakMegabytes(node: string, argv: readonly string[]): number {
  const dir = mkdtempSync(join(tmpdir(), 'claw-bench-'))
  try {
    const hook = join(dir, 'peak.cjs')
    const file = join(dir, 'peak.txt')
    writeFileSync(
      hook,
      `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.resourceUsage().maxRSS)))`,
    )
    spawnSync(node, ['--require', hook, ...argv], { encoding: 'utf8', env: cleanEnv() })
    return Number(readFileSync(file, 'utf8')) / 1024
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

function cleanEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return { PATH, HOME, LANG: 'C.UTF-8' }
}
