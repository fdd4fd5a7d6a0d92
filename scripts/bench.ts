// Start-up, a tick, one whole turn, and what history costs, as ratios to bare node in one run.
//   npm run bench                      with the node that runs it
//   npm run bench -- --node PATH ...   with others too; --rounds 25
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addSession, main, makeWorkspace } from './bench/bench-workspace.ts'
import { peakMegabytes, timeInterleaved, type Timing } from './bench/measure.ts'

const { values } = parseArgs({
  options: {
    node: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '15' },
  },
})
const rounds = Number(values.rounds)
const dir = mkdtempSync(join(tmpdir(), 'claw-bench-'))
const server = await startServer()
try {
  const at = (name: string): string => join(dir, name)
  makeWorkspace(at('team'), { runs: 1_000, baseUrl: server.url })
  makeWorkspace(at('few'), { runs: 100, baseUrl: server.url })
  makeWorkspace(at('many'), { runs: 100_000, baseUrl: server.url })
  makeWorkspace(at('empty-session'), { runs: 100, baseUrl: server.url })
  makeWorkspace(at('long-session'), { runs: 100, baseUrl: server.url })
  for (const node of [process.execPath, ...values.node]) report(node, at)
} finally {
  server.process.kill()
  rmSync(dir, { recursive: true, force: true })
}

function report(node: string, at: (name: string) => string): void {
  const claw = (name: string, ...argv: string[]): string[] => [main, '-C', at(name), '--quiet', ...argv]
  const hi = ['run', 'zoe', '-m', 'hi']
  const timings = timeInterleaved(
    node,
    [
      { name: 'node', argv: ['-e', '0'] },
      { name: 'version', argv: [main, '--version'] },
      { name: 'status', argv: claw('team', 'status') },
      { name: 'tick', argv: claw('team', 'tick'), prepare: () => tickOnce(node, claw('team', 'tick')) },
      { name: 'old tick', argv: claw('many', 'tick'), prepare: () => tickOnce(node, claw('many', 'tick')) },
      { name: 'turn', argv: claw('team', ...hi), prepare: () => addSession(at('team'), 'zoe', 0) },
      { name: 'few', argv: claw('few', ...hi), prepare: () => addSession(at('few'), 'zoe', 0) },
      { name: 'many', argv: claw('many', ...hi), prepare: () => addSession(at('many'), 'zoe', 0) },
      {
        name: 'empty',
        argv: claw('empty-session', ...hi),
        prepare: () => addSession(at('empty-session'), 'zoe', 0),
      },
      {
        name: 'long',
        argv: claw('long-session', ...hi),
        prepare: () => addSession(at('long-session'), 'zoe', 235_000),
      },
    ],
    rounds,
  )
  const of = (name: string): Timing => timings.find(timing => timing.name === name)!
  const version = versionOf(node)
  const isNew = Number(version.slice(1).split('.')[0]) >= 22
  const ratio = (name: string, to: string): number => of(name).medianMs / of(to).medianMs
  const rows: [string, number, number, string][] = [
    ['claw --version / node -e 0', ratio('version', 'node'), 1.5, 'x'],
    ['claw status / node -e 0', ratio('status', 'node'), 2, 'x'],
    ['claw tick, nothing due / node -e 0', ratio('tick', 'node'), 2, 'x'],
    ['the same after 100,000 runs', ratio('old tick', 'node'), 2, 'x'],
    ['claw run -m hi / node -e 0', ratio('turn', 'node'), isNew ? 5 : 3, 'x'],
    ['run with 100,000 / 100 earlier runs', ratio('many', 'few'), 1.2, 'x'],
    ['run on a 235,000-token / empty session', ratio('long', 'empty'), 2, 'x'],
    ['peak memory of claw run -m hi', peakMegabytes(node, claw('team', ...hi)), 85, 'MB'],
  ]
  console.log(
    `\n${version} on ${cpus().length} cores, median of ${rounds} interleaved rounds, bare node ${of('node').medianMs.toFixed(0)} ms`,
  )
  for (const [name, value, limit, unit] of rows) {
    const verdict = value <= limit ? 'ok  ' : 'MISS'
    console.log(`${verdict} ${name.padEnd(40)} ${value.toFixed(2)} ${unit} (at most ${limit})`)
    if (value > limit) process.exitCode = 1
  }
  console.log(`     ${timings.map(timing => `${timing.name} ${timing.medianMs.toFixed(0)}`).join(', ')} ms`)
}

/** What is due is done, so that the next tick finds nothing. */
function tickOnce(node: string, argv: readonly string[]): void {
  spawnSync(node, argv, { stdio: 'ignore' })
}

function versionOf(node: string): string {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim()
}

/** The model server beside the checkout where there is one, else the project's own. */
async function startServer(): Promise<{ url: string; process: ChildProcess }> {
  const shared = join(import.meta.dirname, '..', '..', 'shared', 'mock-llm.mjs')
  const port = 20_000 + (process.pid % 20_000)
  const script = existsSync(shared)
    ? [shared, String(port), join(dir, 'model.log')]
    : ['--import', 'tsx', join(import.meta.dirname, 'bench', 'model-server.ts'), String(port)]
  const child = spawn(process.execPath, script, { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise(resolve => child.stdout.once('data', resolve))
  return { url: `http://127.0.0.1:${port}/v1`, process: child }
}
