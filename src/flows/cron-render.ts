import { join, resolve } from 'node:path'
import { blockText } from '../core/crontab-block.ts'
import { crontabLines } from '../core/render/crontab.ts'
import { kubernetesManifests } from '../core/render/kubernetes.ts'
import { launchdByTick } from '../core/render/launchd.ts'
import type { Plan, RenderedFile } from '../core/render/plan.ts'
import { loadConfig } from '../records/config.ts'
import { ensureDir, replaceFile } from '../store/atomic-file.ts'
import { sha256 } from '../world/hash.ts'
import type { World } from '../world/world.ts'
import { unitFilesOf } from './cron-install/change-units.ts'
import { brokenWarnings, loadPlan } from './cron-install/load-plan.ts'
import { installedProgram, programWarnings } from './cron-install/program.ts'

export const renderFormats = ['crontab', 'launchd', 'systemd', 'kubernetes'] as const
export type RenderFormat = (typeof renderFormats)[number]

export interface RenderRequest {
  format: RenderFormat
  /** Where the files go, relative to the working folder; undefined writes none. */
  out: string | undefined
}

export interface Rendered {
  format: RenderFormat
  files: RenderedFile[]
  /** The folder that was written. */
  out: string | null
  byTick: Plan['byTick']
  warnings: string[]
}

/** What each scheduler would be given; writes only below `out`. */
export async function renderCron(
  world: World,
  root: string,
  { format, out }: RenderRequest,
): Promise<Rendered> {
  const program = installedProgram(world, root)
  const plan = await loadPlan(world, root, { program })
  const files = await filesOf(plan, format)
  const warnings = [...(format === 'kubernetes' ? [] : programWarnings(program)), ...brokenWarnings(plan)]
  if (format === 'kubernetes' && (await loadConfig(world, root)).volume !== 'shared') {
    warnings.push('claw.yaml must say `volume: shared` in a workspace that several hosts write to')
  }
  if (format === 'launchd') {
    warnings.push(
      ...launchdByTick(plan).map(job => `${job} has too many moments for launchd: the tick starts it`),
    )
  }
  const dir = out === undefined ? null : resolve(world.host.cwd, out)
  if (dir !== null) {
    ensureDir(world.disk, dir)
    for (const { name, text } of files) replaceFile(world, join(dir, name), text, { mode: 0o644 })
  }
  return { format, files, out: dir, byTick: plan.byTick, warnings }
}

async function filesOf(plan: Plan, format: RenderFormat): Promise<RenderedFile[]> {
  switch (format) {
    case 'crontab':
      return [{ name: 'crontab', text: crontabText(plan) }]
    case 'kubernetes':
      return [{ name: 'claw-cronjobs.yaml', text: await manifestText(plan) }]
    case 'launchd':
    case 'systemd':
      return unitFilesOf(plan, format)
  }
}

/** The block as `cron install` would write it. */
export function crontabText(plan: Plan): string {
  const seal = (body: string): string => sha256(Buffer.from(body, 'utf8').toString('latin1')).slice(0, 8)
  return blockText({ root: plan.program.root, seal }, crontabLines(plan))
}

async function manifestText(plan: Plan): Promise<string> {
  const { stringify } = await import('yaml')
  const head = [
    '# The image must hold claw on its PATH; change `image` and the claim to yours.',
    '# Keys come from the secret claw-env, e.g.: kubectl create secret generic claw-env --from-env-file=.env',
    '# claw.yaml must say `volume: shared`: the slots on the volume keep each run single.',
    '',
  ].join('\n')
  const documents = kubernetesManifests(plan).map(manifest =>
    stringify(manifest, { aliasDuplicateObjects: false }),
  )
  return head + documents.join('---\n')
}
