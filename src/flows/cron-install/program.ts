import { join } from 'node:path'
import { ClawError } from '../../core/claw-error.ts'
import type { Program } from '../../core/render/plan.ts'
import type { World } from '../../world/world.ts'

/** Folders in which a package keeps one name for node over its versions. */
const lastingFolders = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']

/** What package runners fetch for one call and throw away later. */
const runnerCache = /\/(_npx|dlx|dlx-\w+|_cacache|\.bunx?)\//

const temporary = /^(\/private)?(\/tmp|\/var\/tmp|\/var\/folders|\/dev\/shm)\//

/** How the host's scheduler is to call claw. Throws where those paths would not last or are not there. */
export function installedProgram({ disk, host }: Pick<World, 'disk' | 'host'>, root: string): Program {
  const program = {
    nodePath: lastingNode({ disk, host }),
    scriptPath: join(host.packageDir, 'dist', 'main.js'),
    root: disk.realpath(root) ?? root,
  }
  if (runnerCache.test(program.scriptPath)) {
    throw new ClawError('policy-refused', `${program.scriptPath} lies in a cache that is emptied some day`, {
      hint: 'install claw first, e.g. npm install -g claw, and call that one',
    })
  }
  if (!disk.stat(program.scriptPath)) {
    throw new ClawError('not-found', `${program.scriptPath} is not there`, {
      hint: 'build it: npm run build',
    })
  }
  return program
}

/** Paths that may be gone after a restart. */
export function programWarnings({ nodePath, scriptPath, root }: Program): string[] {
  return [nodePath, scriptPath, root]
    .filter(path => temporary.test(path))
    .map(path => `${path} lies in a temporary folder: when it is emptied, no job fires any more`)
}

/** A name that stays when node is upgraded, where it leads to the node that runs now. */
function lastingNode({ disk, host }: Pick<World, 'disk' | 'host'>): string {
  const real = disk.realpath(host.execPath) ?? host.execPath
  const lasting = lastingFolders.map(folder => join(folder, 'node'))
  return lasting.find(path => disk.realpath(path) === real) ?? host.execPath
}
