import { join } from 'node:path'
import { isClawError } from '../../core/claw-error.ts'
import { type FoundBlock, findBlock } from '../../core/crontab-block.ts'
import { crontabLines } from '../../core/render/crontab.ts'
import { deadBlocks, deadBlockText, diffOf, markOf } from '../cron-install/change-crontab.ts'
import { unitFilesOf, unitFolder } from '../cron-install/change-units.ts'
import { asTable, asText, readTable } from '../cron-install/crontab.ts'
import { type LoadedPlan, loadPlan } from '../cron-install/load-plan.ts'
import { installedProgram } from '../cron-install/program.ts'
import { settingsAbove, settingWarnings } from '../cron-install/table-warnings.ts'
import { ownFiles, unitChanges } from '../cron-install/unit-files.ts'
import {
  bareEnvironment,
  daemonFinding,
  namesOnlyInShell,
  programsNotFound,
  testCommand,
} from './bare-cron.ts'
import type { Check, CheckInput, Finding } from './finding.ts'

const check = 'cron'
const again = 'run: claw cron install'

/**
 * What would fail when the host's scheduler, not this shell, calls claw. With
 * nothing installed, one note. Reads only; one process is started, with
 * `--version`, as cron would start it.
 */
export const checkCron: Check = async input => {
  const { world } = input
  const root = world.disk.realpath(input.root) ?? input.root
  const units = (['launchd', 'systemd'] as const).filter(
    format => ownFiles(world, unitFolder(world, root, format)).length > 0,
  )
  const table = await tableOrWhy(input)
  const block = table.kind === 'read' ? findBlock(table.text, markOf(root)) : { kind: 'absent' as const }
  const isInstalled = units.length > 0 || block.kind === 'found'
  const plan = isInstalled ? await planOrNone(input) : undefined
  const findings = plan ? units.flatMap(format => unitFindings(input, { root, plan, format })) : []
  if (table.kind === 'unreadable') findings.push(told('warning', table.why))
  if (block.kind === 'broken') {
    const text = `crontab line ${block.line}: the block of claw ${block.why}; put it right with: crontab -e`
    findings.push(told('error', text))
  }
  if (table.kind === 'read' && block.kind === 'found')
    findings.push(...(await blockFindings(input, { table: table.text, block, plan })))
  if (table.kind === 'read')
    findings.push(...deadBlocks(world, table.text).map(dead => told('warning', deadBlockText(dead))))
  if (!isInstalled && findings.length === 0)
    findings.push(told('note', `nothing is installed, so no job fires by itself; ${again}`))
  return findings
}

function told(level: Finding['level'], text: string): Finding {
  return { level, check, path: '', text }
}

type ReadTable = { kind: 'read'; text: string } | { kind: 'no-program' } | { kind: 'unreadable'; why: string }

async function tableOrWhy({ world }: CheckInput): Promise<ReadTable> {
  try {
    return { kind: 'read', text: (await readTable(world)) ?? '' }
  } catch (error) {
    if (isClawError(error, 'not-found')) return { kind: 'no-program' }
    if (isClawError(error)) return { kind: 'unreadable', why: error.message }
    throw error
  }
}

/** Undefined where the program or every job cannot be used; for a job that is a finding of another check. */
async function planOrNone({ world, root }: CheckInput): Promise<LoadedPlan | undefined> {
  try {
    return await loadPlan(world, root, { program: installedProgram(world, root) })
  } catch (error) {
    if (isClawError(error)) return undefined
    throw error
  }
}

interface Installed {
  table: string
  block: Extract<FoundBlock, { kind: 'found' }>
  plan: LoadedPlan | undefined
}

async function blockFindings(input: CheckInput, { table, block, plan }: Installed): Promise<Finding[]> {
  const settings = settingsAbove(table, block.start)
  const env = bareEnvironment(input.world, settings)
  const findings = [
    ...(await testCommand(input, { line: asText(block.lines.at(-1) ?? ''), env })),
    ...namesOnlyInShell(input, env),
    ...programsNotFound(input, env),
    ...daemonFinding(input),
    ...(plan ? settingWarnings(settings, plan.hostZone) : []).map(text => ({
      level: 'warning' as const,
      text,
    })),
  ].map(({ level, text }) => told(level, text))
  if (block.isEdited)
    findings.push(told('warning', `the block of claw in your crontab was edited by hand; ${again}`))
  // What a broken file wants is not known, so that nothing can be compared.
  const diff = plan?.broken.length === 0 ? diffOf(block.lines, crontabLines(plan).map(asTable)) : []
  if (diff.length > 0) findings.push(told('warning', outOfDate('the lines in your crontab', diff)))
  return findings
}

function unitFindings(
  { world }: CheckInput,
  { root, plan, format }: { root: string; plan: LoadedPlan; format: 'launchd' | 'systemd' },
): Finding[] {
  if (plan.broken.length > 0) return []
  const folder = unitFolder(world, root, format)
  const { write, remove } = unitChanges(world, folder, unitFilesOf(plan, format))
  const diff = [...remove.map(name => `- ${join(folder.dir, name)}`), ...write.map(({ name }) => `+ ${name}`)]
  if (diff.length === 0) return []
  return [told('warning', `${outOfDate(`the files in ${folder.dir}`, diff)} --format ${format}`)]
}

function outOfDate(what: string, diff: readonly string[]): string {
  const come = diff.filter(line => line.startsWith('+')).length
  return `${what} are not those of the jobs (${come} to add, ${diff.length - come} to take out); ${again}`
}
