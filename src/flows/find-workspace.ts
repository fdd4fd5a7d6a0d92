import { dirname, resolve } from 'node:path'
import { ClawError } from '../core/claw-error.ts'
import { configFile } from '../records/paths.ts'
import type { Disk } from '../world/disk.ts'
import type { World } from '../world/world.ts'

/** The workspace: `-C`, else CLAW_WORKSPACE, else the nearest parent with a `claw.yaml`. */
export function findWorkspace(
  { disk, host }: Pick<World, 'disk'> & { host: Pick<World['host'], 'env' | 'cwd'> },
  given: string | undefined,
): string {
  const named = given ?? host.env['CLAW_WORKSPACE']
  if (named) {
    const root = resolve(host.cwd, named)
    if (disk.stat(configFile(root))) return root
    const where = given === undefined ? 'CLAW_WORKSPACE' : '-C'
    throw new ClawError('not-found', `${root}: no claw.yaml there (${where})`, {
      hint: `make one with: claw init ${named}`,
    })
  }
  const root = nearestRoot(disk, host.cwd)
  if (root) return root
  throw new ClawError('not-found', `no claw.yaml in ${host.cwd} or above`, {
    hint: 'make a workspace with: claw init <dir>, or name one with -C <dir>',
  })
}

function nearestRoot(disk: Disk, from: string): string | undefined {
  for (let dir = from; ; dir = dirname(dir)) {
    if (disk.stat(configFile(dir))) return dir
    if (dirname(dir) === dir) return undefined
  }
}
