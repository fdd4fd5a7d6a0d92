import type { Config } from '../core/config.ts'
import { masker } from '../core/mask.ts'
import { type Env, secretValues } from '../records/env.ts'

/** Takes every secret that the configuration names out of a text, and what else in the environment is one by its name. */
export function maskOf(config: Config, env: Env): (text: string) => string {
  return masker([...secretValues(secretSources(config), env), ...namedAsSecret(env)])
}

const secretName = /(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|WEBHOOK|CREDENTIALS?)(?:_[A-Z0-9]+)?$/i

/** E.g. the key of a provider whose line is commented out. Values that could be words are left alone. */
function namedAsSecret(env: Env): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && secretName.test(name) && /^(?=.*[A-Za-z])(?=.*\d)\S{12,}$/.test(value)
      ? [value]
      : [],
  )
}

function secretSources({ models, channels }: Config): (string | undefined)[] {
  const providers = Object.values(models.providers)
  return [
    ...providers.flatMap(({ apiKey, baseUrl, headers }) => [apiKey, baseUrl, ...Object.values(headers)]),
    ...Object.values(channels).map(({ url }) => url),
  ]
}
