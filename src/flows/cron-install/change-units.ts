import { join } from 'node:path'
import { shellWord } from '../../core/crontab-command.ts'
import { launchdByTick, launchdFiles, launchdOwn, launchdPrefix } from '../../core/render/launchd.ts'
import type { Plan, RenderedFile } from '../../core/render/plan.ts'
import { systemdFiles, systemdOwn, systemdPrefix } from '../../core/render/systemd.ts'
import { stateDir } from '../../records/paths.ts'
import { ensureDir } from '../../store/atomic-file.ts'
import { sha256 } from '../../world/hash.ts'
import type { World } from '../../world/world.ts'
import { applyUnitChanges, type UnitChanges, unitChanges, type UnitFolder } from './unit-files.ts'

export type UnitFormat = 'launchd' | 'systemd'

interface UnitRequest {
  plan: Plan | undefined
  dryRun: boolean
  format: UnitFormat
}

/** The workspace's files in the user's folder become those of the plan, or go. */
export function changeUnits(world: World, root: string, { plan, dryRun, format }: UnitRequest) {
  const folder = unitFolder(world, root, format)
  const changes = unitChanges(world, folder, plan ? unitFilesOf(plan, format) : [])
  const isChanged = changes.write.length + changes.remove.length > 0
  if (isChanged && !dryRun) {
    if (plan) ensureDir(world.disk, stateDir(root))
    applyUnitChanges(world, folder, changes)
  }
  const tooMany = plan && format === 'launchd' ? launchdByTick(plan) : []
  return {
    changed: isChanged,
    diff: [
      ...changes.remove.map(name => `- ${join(folder.dir, name)}`),
      ...changes.write.map(({ name }) => `+ ${join(folder.dir, name)}`),
    ],
    next: isChanged ? nextCommands[format](folder, changes, plan !== undefined) : [],
    warnings: tooMany.map(job => `${job} has too many moments for launchd: the tick starts it`),
  }
}

export function unitFilesOf(plan: Plan, format: UnitFormat): RenderedFile[] {
  return format === 'launchd' ? launchdFiles(plan) : systemdFiles(plan)
}

/** Where the scheduler looks for a user's own files. */
export function unitFolder({ host }: Pick<World, 'host'>, root: string, format: UnitFormat): UnitFolder {
  const of = { program: { nodePath: '', scriptPath: '', root }, digest: sha256 }
  if (format === 'launchd') {
    const dir = join(host.homeDir, 'Library', 'LaunchAgents')
    return { dir, prefix: launchdPrefix(of), own: launchdOwn(root) }
  }
  const config = host.env['XDG_CONFIG_HOME'] || join(host.homeDir, '.config')
  return { dir: join(config, 'systemd', 'user'), prefix: systemdPrefix(of), own: systemdOwn(root) }
}

type Commands = (folder: UnitFolder, changes: UnitChanges, isInstall: boolean) => string[]

const nextCommands: Record<UnitFormat, Commands> = {
  launchd: ({ dir, prefix }, { remove }, isInstall) => {
    const unload = remove.map(name => `launchctl bootout gui/$(id -u)/${name.replace(/\.plist$/, '')}`)
    const each = `for f in ${shellWord(`${dir}/${prefix}`)}*.plist; do launchctl bootout gui/$(id -u) "$f" 2>/dev/null; launchctl bootstrap gui/$(id -u) "$f"; done`
    return isInstall ? [...unload, each] : unload
  },
  systemd: ({ dir, prefix }, { remove }, isInstall) => {
    const timers = remove.filter(name => name.endsWith('.timer'))
    const stop = timers.length > 0 ? [`systemctl --user stop ${timers.join(' ')}`] : []
    const enable = [
      `systemctl --user enable --now $(cd ${shellWord(dir)} && ls ${prefix}*.timer)`,
      'loginctl enable-linger',
    ]
    return [...stop, 'systemctl --user daemon-reload', ...(isInstall ? enable : [])]
  },
}
