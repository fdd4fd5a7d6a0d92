import { isClawError } from '../../core/claw-error.ts'
import { offlineLink } from '../../core/config.ts'
import { brokenEntries } from '../../core/exec-policy.ts'
import { loadConfig } from '../../records/config.ts'
import { fillSecrets, loadEnv } from '../../records/env.ts'
import type { Check, Finding, Repairable } from './finding.ts'
import { configKeysWithoutEffect, withoutEffectText } from './without-effect.ts'

const check = 'config'

/** claw.yaml decodes; each chain names a provider that is there; each secret is set; each key has an effect. */
export const checkConfig: Check = async ({ world, root, config }) => {
  if (!config) {
    const error: unknown = await loadConfig(world, root).then(
      () => undefined,
      thrown => thrown,
    )
    if (!isClawError(error)) throw error
    return [{ level: 'error', check, path: 'claw.yaml', text: error.message }]
  }
  const env = loadEnv(world, root)
  const findings: Repairable[] = []
  const tell = (text: string, level: Finding['level'] = 'warning'): void => {
    findings.push({ level, check, path: 'claw.yaml', text })
  }
  const lacks = (source: string | undefined, where: string): void => {
    try {
      if (source !== undefined) fillSecrets(source, env, where)
    } catch (error) {
      if (!isClawError(error)) throw error
      tell(error.message)
    }
  }
  for (const [name, provider] of Object.entries(config.models.providers)) {
    for (const source of [provider.apiKey, provider.baseUrl, ...Object.values(provider.headers)])
      lacks(source, `models.providers.${name}`)
  }
  for (const [name, channel] of Object.entries(config.channels)) lacks(channel.url, `channels.${name}`)
  for (const [tier, chain] of Object.entries(config.models.chains)) {
    for (const ref of chain.models) {
      if (ref !== offlineLink && !config.models.providers[ref.split('/')[0]!])
        tell(`chain ${tier}: no provider for ${ref}`, 'error')
      else if (ref !== offlineLink && !config.models.catalog[ref])
        tell(`chain ${tier}: ${ref} is not in the catalog; its window and price are not known`)
    }
  }
  const { to } = config.alerts
  if (to !== undefined && !config.channels[to]) tell(`alerts.to: no channel ${to}`, 'error')
  for (const { entry, why } of brokenEntries(config.exec.allow)) tell(`exec.allow: ${entry}: ${why}`)
  for (const key of configKeysWithoutEffect(config)) tell(withoutEffectText(key), 'note')
  return findings
}
