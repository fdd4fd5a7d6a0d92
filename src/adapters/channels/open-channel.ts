import { isAbsolute, join } from 'node:path'
import { ClawError } from '../../core/claw-error.ts'
import type { ChannelConfig } from '../../core/config.ts'
import type { World } from '../../world/world.ts'
import type { Channel } from './channel.ts'
import { discordWebhookChannel } from './discord-webhook.ts'
import { fileChannel } from './file.ts'
import { scriptFileChannel } from './script-file.ts'
import { stdoutChannel } from './stdout.ts'

export interface ChannelPlace {
  /** As `claw.yaml` names it. */
  name: string
  config: ChannelConfig
  /** Absolute path of the workspace. */
  root: string
  /** `config.url` with its secrets filled in. */
  url: string | undefined
}

/** The channel that the configuration names, with only its own code loaded. Throws `config-invalid` when something it needs is missing. */
export async function openChannel(world: World, { name, config, root, url }: ChannelPlace): Promise<Channel> {
  const missing = (key: string): ClawError =>
    new ClawError('config-invalid', `channel ${name} of type ${config.type} needs ${key}`)
  const folder =
    config.path === undefined ? undefined : isAbsolute(config.path) ? config.path : join(root, config.path)
  switch (config.type) {
    case 'stdout':
      return stdoutChannel(name, world.terminal)
    case 'file':
      if (folder === undefined) throw missing('path')
      return fileChannel(name, world, folder)
    case 'discord-webhook':
      if (url === undefined || url === '') throw missing('url')
      return discordWebhookChannel(name, world.http, url)
    case 'scripted':
      if (folder === undefined) throw missing('path')
      return scriptFileChannel(name, world, folder)
  }
}
