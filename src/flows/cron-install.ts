import type { Plan } from '../core/render/plan.ts'
import { changeCrontab } from './cron-install/change-crontab.ts'
import { changeUnits } from './cron-install/change-units.ts'
import { brokenWarnings, datedJobs, loadPlan } from './cron-install/load-plan.ts'
import { installedProgram, programWarnings } from './cron-install/program.ts'
import type { World } from '../world/world.ts'

/** Schedulers of one user on this host. */
export const installFormats = ['crontab', 'launchd', 'systemd'] as const
export type InstallFormat = (typeof installFormats)[number]

export interface CronRequest {
  format: InstallFormat
  /** Only say what would change. */
  dryRun: boolean
}

export interface CronChange {
  format: InstallFormat
  /** The workspace, links resolved: by this path its lines are known. */
  root: string
  changed: boolean
  dryRun: boolean
  /** Jobs that have lines or units of their own, and those that the tick starts. */
  jobs: number
  byTick: Plan['byTick']
  /** Jobs whose lines are for the clock changes of `year` and will be others in the next one. */
  dated: { year: number; jobs: string[] } | null
  /** In whose clock lines count. */
  hostZone: string | null
  /** What goes and what comes, each with `- ` or `+ ` before it. */
  diff: string[]
  /** A copy of the table as it was. */
  backup: string | null
  /** Commands that the person has to run. */
  next: string[]
  warnings: string[]
}

/** Makes the host's scheduler wake every enabled job; the same again changes nothing. */
export async function installCron(world: World, root: string, request: CronRequest): Promise<CronChange> {
  const program = installedProgram(world, root)
  const plan = await loadPlan(world, root, { program })
  const change = await changed(world, program.root, { ...request, plan })
  const jobs = await datedJobs(plan)
  const dated = jobs.length === 0 ? null : { year: plan.year, jobs }
  return {
    ...change,
    dated,
    warnings: [...programWarnings(program), ...brokenWarnings(plan), ...change.warnings],
  }
}

/** Takes out what `installCron` put in, and nothing else; `of` names a workspace that need not be there any more. */
export async function uninstallCron(
  world: World,
  root: string,
  request: CronRequest & { of?: string },
): Promise<CronChange> {
  return changed(world, world.disk.realpath(root) ?? root, { ...request, plan: undefined })
}

async function changed(
  world: World,
  root: string,
  { format, dryRun, plan, of = root }: CronRequest & { plan: Plan | undefined; of?: string },
): Promise<CronChange> {
  const parts =
    format === 'crontab'
      ? await changeCrontab(world, root, { plan, dryRun, of })
      : changeUnits(world, root, { plan, dryRun, format })
  return {
    format,
    root: of,
    dryRun,
    jobs: plan?.jobs.length ?? 0,
    byTick: plan?.byTick ?? [],
    hostZone: plan?.hostZone ?? null,
    dated: null,
    backup: null,
    next: [],
    ...parts,
  }
}
