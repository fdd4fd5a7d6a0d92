import packageJson from '../package.json' with { type: 'json' }
import { dispatch } from './cli/dispatch.ts'
import { fromIso } from './core/millis.ts'
import type { RunPorts } from './flows/ports.ts'
import type { SimulateReport, SimulateRequest } from './flows/simulate.ts'
import { lazyHttp } from './world/lazy-http.ts'
import { nodeWorld } from './world/node-world.ts'

const argv = process.argv.slice(2)
const now = givenNow(argv)
const world = nodeWorld({ now, http: lazyHttp(process.env) })
const { version } = packageJson
dispatch({ world, ports: lazyPorts(), simulate, version, argv }).then(
  async exitCode => {
    await world.terminal.flushed?.()
    process.exit(withOutput(exitCode))
  },
  (error: unknown) => {
    const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`claw: this is a bug in claw ${packageJson.version}, please report it\n${stack}\n`)
    process.exit(1)
  },
)

/** The same commands in a world in memory. */
async function simulate(request: SimulateRequest): Promise<SimulateReport> {
  const { simulate: simulated } = await import('./sim-ports.ts')
  return simulated({ world, dispatch, version }, request)
}

/** A result that could not be printed is no success. */
function withOutput(exitCode: number): number {
  const { outFault } = world.terminal
  if (outFault === undefined || exitCode !== 0) return exitCode
  world.terminal.err(`claw: the output could not be written (${outFault})\n`)
  return 1
}

/** The adapters come with their first use: most commands need none. */
function lazyPorts(): RunPorts {
  let loaded: Promise<RunPorts> | undefined
  const real = (): Promise<RunPorts> =>
    (loaded ??= import('./node-ports.ts').then(({ nodePorts }) =>
      nodePorts(world, { isClockGiven: now !== undefined }),
    ))
  return {
    ask: async request => (await real()).ask(request),
    collectors: async () => (await real()).collectors(),
    sharedLocks: async () => (await real()).sharedLocks(),
    channel: async request => (await real()).channel(request),
    launch: async argv => (await real()).launch(argv),
  }
}

/** `--now` or CLAW_NOW must be known before there is a clock. */
function givenNow(words: readonly string[]): number | undefined {
  const at = words.indexOf('--now')
  const inline = words.find(word => word.startsWith('--now='))?.slice('--now='.length)
  const text = inline ?? (at === -1 ? process.env['CLAW_NOW'] : words[at + 1])
  if (!text) return undefined
  const now = fromIso(text)
  if (now === undefined) {
    process.stderr.write(`claw: --now must be an ISO instant such as 2026-11-28T00:30:00Z, not ${text}\n`)
    process.exit(2)
  }
  return now
}
