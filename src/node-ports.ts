import { join, resolve } from 'node:path'
import type { AskModel } from './agent/model.ts'
import { ClawError } from './core/claw-error.ts'
import { hourMs, toIso } from './core/millis.ts'
import { parsedJson } from './core/parsed-json.ts'
import type { Launched, RunPorts } from './flows/ports.ts'
import type { World } from './world/world.ts'

/** The real adapters, each loaded when it is first used. */
export function nodePorts(world: World, { isClockGiven }: { isClockGiven: boolean }): RunPorts {
  let ask: Promise<AskModel> | undefined
  const scripts = new Map<string, Promise<AskModel>>()
  const scripted: AskModel = async request => {
    const path = request.link.baseUrl
    const script = scripts.get(path) ?? openScript(world, path)
    scripts.set(path, script)
    return (await script)(request)
  }
  return {
    async ask(request) {
      if (request.link.api === 'scripted') return scripted(request)
      ask ??= import('./adapters/models/ask-model.ts').then(({ askModel }) => askModel(world))
      return (await ask)(request)
    },
    collectors: async () => [
      ...(await import('./kits/ainews/collectors.ts')).ainewsCollectors,
      ...(await import('./kits/team/collectors.ts')).teamCollectors,
    ],
    sharedLocks: async () => (await import('./world/node-shared-locks.ts')).nodeSharedLocks(),
    channel: async request =>
      (await import('./adapters/channels/open-channel.ts')).openChannel(world, request),
    launch: argv => launch(world, isClockGiven ? ['--now', toIso(world.clock.now()), ...argv] : argv),
  }
}

/** Longest life of a run that `tick` starts; the job's own timeout ends it long before. */
const launchTimeoutMs = 24 * hourMs

async function launch({ spawn, host }: World, argv: readonly string[]): Promise<Launched> {
  const script = join(host.packageDir, 'dist', 'main.js')
  const { outcome, stderr } = await spawn.run({
    argv: [host.execPath, script, ...argv],
    cwd: host.cwd,
    env: Object.fromEntries(
      Object.entries(host.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
    timeoutMs: launchTimeoutMs,
    maxBytes: 64 * 1024,
  })
  const lastLine = new TextDecoder().decode(stderr).trimEnd().split('\n').at(-1) ?? ''
  return { exitCode: outcome.kind === 'exited' ? outcome.exitCode : null, lastLine }
}

/** `api: scripted` plays the replies of a JSON file; `baseUrl` is its path. For tests of whole commands. */
async function openScript(world: World, path: string): Promise<AskModel> {
  const { decodeScript, scriptedModel } = await import('./adapters/models/scripted.ts')
  const bytes = world.disk.read(resolve(world.host.cwd, path))
  if (bytes === undefined) throw new ClawError('not-found', `no script ${path} for a scripted model`)
  const script = parsedJson(new TextDecoder().decode(bytes))
  if (script === undefined) throw new ClawError('config-invalid', `${path} is not JSON`)
  return scriptedModel(decodeScript(path, script), world.clock)
}
