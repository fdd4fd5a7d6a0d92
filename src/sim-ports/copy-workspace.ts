import { join } from 'node:path'
import { parse, stringify } from 'yaml'
import { tiers } from '../core/config.ts'
import { isObject } from '../core/json-schema.ts'
import type { Disk } from '../world/disk.ts'

/** Where the copy lies on the simulated host. */
export const simRoot = '/home/sim/team'

/** Where claw is installed there. */
export const simPackageDir = '/opt/claw'

/** What runs have left, what belongs to this host, and keys: none of it goes into the copy. */
const leftOut =
  /^(\.claw|\.git|\.env|\.obsidian|node_modules|vault|backups)(\/|$)|^agents\/[^/]+\/sessions(\/|$)|^shared-context\/(agent-runs|job-status|incidents\.json)(\/|$)/

/** More is no file that a job reads. */
const mostFileBytes = 4 * 1024 * 1024

/** The files that people write, by path below `/`, with a `claw.yaml` whose models and channels are scripted. */
export function copyWorkspace(disk: Disk, from: string): Record<string, Uint8Array | string> {
  const files: Record<string, Uint8Array | string> = {}
  for (const path of pathsBelow(disk, from, '')) {
    const target = `${simRoot.slice(1)}/${path.replace(/(^|\/)gitignore$/, '$1.gitignore')}`
    const bytes = disk.read(join(from, path))
    if (bytes && bytes.length <= mostFileBytes) files[target] = bytes
  }
  const config = `${simRoot.slice(1)}/claw.yaml`
  files[config] = scriptedConfig(Buffer.from(files[config] ?? '').toString('utf8'))
  files[`${simPackageDir.slice(1)}/dist/main.js`] = ''
  files['usr/bin/node'] = ''
  files['tmp/'] = ''
  return files
}

function pathsBelow(disk: Disk, from: string, below: string): string[] {
  return (disk.list(join(from, below)) ?? []).flatMap(({ name, kind }) => {
    const path = below === '' ? name : `${below}/${name}`
    if (leftOut.test(path)) return []
    if (kind === 'directory') return pathsBelow(disk, from, path)
    return kind === 'file' ? [path] : []
  })
}

const price = { in: 0.1, out: 0.2 }
const model = { window: 128_000, maxOutput: 8000, price }

/** Every chain asks two scripted models before the offline link; every channel is of a kind that needs no key. */
function scriptedConfig(text: string): string {
  const config: unknown = parse(text)
  if (!isObject(config)) return text
  const channels = isObject(config['channels']) ? Object.keys(config['channels']) : []
  const asking = tiers.filter(tier => tier !== 'tool')
  return stringify({
    ...config,
    live: false,
    volume: 'local',
    models: {
      providers: { sim: { api: 'scripted', baseUrl: 'scripted:' } },
      chains: Object.fromEntries([...asking.map(tier => [tier, ['sim/one', 'sim/two']]), ['tool', []]]),
      catalog: { 'sim/one': model, 'sim/two': model },
    },
    channels: Object.fromEntries(channels.map(name => [name, { type: 'stdout' }])),
  })
}
