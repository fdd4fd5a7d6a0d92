import { dirname, join } from 'node:path'
import { isClawError } from '../core/claw-error.ts'
import type { Config } from '../core/config.ts'
import { loadConfig } from '../records/config.ts'
import { backupsDir } from '../records/paths.ts'
import { createFile, ensureDir } from '../store/atomic-file.ts'
import { fileStamp } from '../store/stamp.ts'
import type { World } from '../world/world.ts'
import { checkAgents } from './doctor/check-agents.ts'
import { checkConfig } from './doctor/check-config.ts'
import { checkJobs } from './doctor/check-jobs.ts'
import { checkLeftovers } from './doctor/check-leftovers.ts'
import { checkLogs } from './doctor/check-logs.ts'
import { checkState } from './doctor/check-state.ts'
import { checkStatus } from './doctor/check-status.ts'
import { checkCron } from './doctor/cron-env.ts'
import { checkSchedule } from './doctor/schedule.ts'
import type { Check, Finding, Repairable } from './doctor/finding.ts'
import type { RunPorts } from './ports.ts'

export interface DoctorReport {
  /** True when there is no error. */
  ok: boolean
  findings: Finding[]
  /** Findings that `--fix` put right. */
  fixed: Finding[]
}

const checks: readonly Check[] = [
  checkConfig,
  checkJobs,
  checkAgents,
  checkLogs,
  checkStatus,
  checkState,
  checkLeftovers,
  checkSchedule,
  checkCron,
]

/** Checks the whole workspace and changes nothing; with `fix`, repairs what is safe, each file copied first. */
export async function doctor(
  world: World,
  root: string,
  { ports, fix }: { ports: RunPorts; fix: boolean },
): Promise<DoctorReport> {
  const collectors = (await ports.collectors()).map(collector => collector.name)
  const input = { world, root, config: await configOrNone(world, root), collectors }
  const found: Repairable[] = []
  for (const check of checks) found.push(...(await check(input)))
  const fixed: Repairable[] = []
  if (fix) {
    for (const finding of found) {
      if (!finding.repair) continue
      keepCopy(world, root, finding.path)
      await finding.repair()
      fixed.push(finding)
    }
  }
  const left = found.filter(finding => !fixed.includes(finding))
  return {
    ok: left.every(finding => finding.level !== 'error'),
    findings: left.map(plain),
    fixed: fixed.map(plain),
  }
}

async function configOrNone(world: World, root: string): Promise<Config | undefined> {
  try {
    return await loadConfig(world, root)
  } catch (error) {
    if (isClawError(error, 'config-invalid', 'not-found')) return undefined
    throw error
  }
}

function keepCopy(world: World, root: string, path: string): void {
  const bytes =
    world.disk.stat(join(root, path))?.kind === 'file' ? world.disk.read(join(root, path)) : undefined
  if (!bytes) return
  const name = `${fileStamp(world.clock.now())}-${path.replaceAll('/', '_')}`
  const copy = join(backupsDir(root), 'doctor', name)
  ensureDir(world.disk, dirname(copy))
  createFile(world, copy, bytes)
}

function plain({ repair: _, ...finding }: Repairable): Finding {
  return finding
}
