import packageJson from '../package.json' with { type: 'json' }
import { dispatch } from './cli/dispatch.ts'
import { fromIso } from './core/millis.ts'
import { nodePorts } from './node-ports.ts'
import { lazyHttp } from './world/lazy-http.ts'
import { nodeWorld } from './world/node-world.ts'

const argv = process.argv.slice(2)
const world = nodeWorld({ now: givenNow(argv), http: lazyHttp(process.env) })
try {
  const exitCode = await dispatch({ world, ports: nodePorts(world), version: packageJson.version, argv })
  process.exit(exitCode)
} catch (error) {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`claw: this is a bug in claw ${packageJson.version}, please report it\n${stack}\n`)
  process.exit(1)
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
