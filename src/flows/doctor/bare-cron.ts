import { join } from 'node:path'
import { shellCommand } from '../../core/crontab-command.ts'
import { loadEnv } from '../../records/env.ts'
import { decodeText, readText } from '../../store/text.ts'
import type { World } from '../../world/world.ts'
import type { TableSetting } from '../cron-install/table-warnings.ts'
import type { CheckInput, Finding } from './finding.ts'

type Said = Pick<Finding, 'level' | 'text'>
type Environment = Readonly<Record<string, string>>

const timeoutMs = 20_000

/** All that Debian's cron gives a job, and what the crontab sets above the block. */
export function bareEnvironment(
  { host }: Pick<World, 'host'>,
  settings: readonly TableSetting[],
): Environment {
  return {
    PATH: '/usr/bin:/bin',
    SHELL: '/bin/sh',
    HOME: host.homeDir,
    LOGNAME: host.env['LOGNAME'] ?? host.env['USER'] ?? 'root',
    ...Object.fromEntries(settings.map(({ name, value }) => [name, value])),
  }
}

/** Starts the program of an installed line, as the line spells it, to hear its version. */
export async function testCommand(
  { world }: Pick<CheckInput, 'world'>,
  { line, env }: { line: string; env: Environment },
): Promise<Said[]> {
  const program = shellCommand(line).replace(/ -C [^]*$/, ' --version')
  const { outcome, stderr } = await world.spawn.run({
    argv: [env['SHELL'] ?? '/bin/sh', '-c', program],
    cwd: world.host.homeDir,
    env: { ...env },
    timeoutMs,
    maxBytes: 4096,
  })
  if (outcome.kind === 'exited' && outcome.exitCode === 0) return []
  const [why = ''] = decodeText(stderr).trim().split('\n')
  const text = `what cron starts does not start (${why || outcome.kind}): ${program}; run: claw cron install`
  return [{ level: 'error', text }]
}

/** `${NAME}`s of claw.yaml that this shell sets and cron will not. */
export function namesOnlyInShell({ world, root, config }: CheckInput, env: Environment): Said[] {
  if (!config) return []
  const own = loadEnv({ disk: world.disk, host: { ...world.host, env: {} } }, root)
  const sources = [
    ...Object.values(config.models.providers).flatMap(({ apiKey, baseUrl, headers }) => [
      apiKey,
      baseUrl,
      ...Object.values(headers),
    ]),
    ...Object.values(config.channels).map(({ url }) => url),
  ]
  const names = sources.flatMap(source =>
    [...(source?.matchAll(/\$\{(\w+)\}/g) ?? [])].map(match => match[1] ?? ''),
  )
  return [...new Set(names)]
    .filter(name => world.host.env[name] && !own[name] && !env[name])
    .map(name => ({
      level: 'warning',
      text: `\${${name}} of claw.yaml is set in this shell only, cron will not have it; put it into .env in the workspace`,
    }))
}

/** Programs of exec.allow that cron's PATH does not hold. */
export function programsNotFound({ world, config }: CheckInput, env: Environment): Said[] {
  const folders = (env['PATH'] ?? '').split(':').filter(folder => folder.startsWith('/'))
  const programs = new Set((config?.exec.allow ?? []).map(entry => entry.trim().split(/\s+/)[0] ?? ''))
  return [...programs]
    .filter(program => program !== '' && !program.includes('/'))
    .filter(program => !folders.some(folder => world.disk.stat(join(folder, program))?.kind === 'file'))
    .map(program => ({
      level: 'warning',
      text: `exec.allow: ${program} is not on cron's PATH (${folders.join(':')}); set PATH=... at the top of your crontab: crontab -e`,
    }))
}

/** Where the kernel lists its processes and none of them is a cron. */
export function daemonFinding({ world: { disk } }: Pick<CheckInput, 'world'>): Said[] {
  const names = (disk.list('/proc') ?? [])
    .filter(({ name }) => /^\d+$/.test(name))
    .flatMap(({ name }) => nameOfProcess(disk, name))
  if (
    names.length === 0 ||
    names.some(name => /^(cron|crond|fcron|bcron|dcron|anacron|systemd-cron.*)$/.test(name))
  )
    return []
  return [
    {
      level: 'warning',
      text: 'no cron daemon runs here, so no line fires; start it, e.g. service cron start (or systemctl enable --now cron)',
    },
  ]
}

function nameOfProcess(disk: World['disk'], pid: string): string[] {
  try {
    const name = readText(disk, `/proc/${pid}/comm`)?.trim()
    return name ? [name] : []
  } catch {
    return []
  }
}
