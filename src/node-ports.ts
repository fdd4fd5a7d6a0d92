import { resolve } from 'node:path'
import type { AskModel } from './agent/model.ts'
import { ClawError } from './core/claw-error.ts'
import { parsedJson } from './core/parsed-json.ts'
import type { RunPorts } from './flows/ports.ts'
import type { World } from './world/world.ts'

/** The real adapters, each loaded when it is first used. */
export function nodePorts(world: World): RunPorts {
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
    collectors: async () => (await import('./kits/ainews/collectors.ts')).ainewsCollectors,
    sharedLocks: async () => (await import('./world/node-shared-locks.ts')).nodeSharedLocks(),
    channel: async request =>
      (await import('./adapters/channels/open-channel.ts')).openChannel(world, request),
  }
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
