import type { AskModel } from './agent/model.ts'
import type { RunPorts } from './flows/ports.ts'
import type { World } from './world/world.ts'

/** The real adapters, each loaded when it is first used. */
export function nodePorts(world: World): RunPorts {
  let ask: Promise<AskModel> | undefined
  return {
    async ask(request) {
      ask ??= import('./adapters/models/ask-model.ts').then(({ askModel }) => askModel(world))
      return (await ask)(request)
    },
    collectors: async () => (await import('./kits/ainews/collectors.ts')).ainewsCollectors,
    sharedLocks: async () => (await import('./world/node-shared-locks.ts')).nodeSharedLocks(),
    channel: async request =>
      (await import('./adapters/channels/open-channel.ts')).openChannel(world, request),
  }
}
