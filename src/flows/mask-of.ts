import type { Config } from '../core/config.ts'
import { masker } from '../core/mask.ts'
import { type Env, secretValues } from '../records/env.ts'

/** Takes every secret that the configuration names out of a text. */
export function maskOf(config: Config, env: Env): (text: string) => string {
  return masker(secretValues(secretSources(config), env))
}

function secretSources({ models, channels }: Config): (string | undefined)[] {
  const providers = Object.values(models.providers)
  return [
    ...providers.flatMap(({ apiKey, baseUrl, headers }) => [apiKey, baseUrl, ...Object.values(headers)]),
    ...Object.values(channels).map(({ url }) => url),
  ]
}
