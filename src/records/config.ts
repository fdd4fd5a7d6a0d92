import { ClawError } from '../core/claw-error.ts'
import { type Config, decodeConfig } from '../core/config.ts'
import { readText } from '../store/text.ts'
import { parseYaml } from '../store/yaml.ts'
import type { World } from '../world/world.ts'
import { DecodeCache } from './decode-cache.ts'
import { decodedFrom } from './decoded.ts'
import { configFile } from './paths.ts'

/** Decodes `claw.yaml`; throws `config-invalid` with file, line and column. */
export async function loadConfig(world: World, root: string, { saveCache = false } = {}): Promise<Config> {
  const file = configFile(root)
  const source = readText(world.disk, file)
  if (source === undefined) throw new ClawError('not-found', `${file} is gone`)
  const cache = new DecodeCache<Config>(world, root, 'config')
  const known = cache.get('claw.yaml', source)
  if (known) return known
  const doc = await parseYaml('claw.yaml', source)
  const config = decodedFrom('claw.yaml', doc.locate, () => decodeConfig(doc.value))
  cache.put('claw.yaml', source, config)
  if (saveCache) cache.save()
  return config
}
