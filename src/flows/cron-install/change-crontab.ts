import { join } from 'node:path'
import { ClawError } from '../../core/claw-error.ts'
import { findBlock, type FoundBlock, withBlock, withoutBlock } from '../../core/crontab-block.ts'
import { shellWord } from '../../core/crontab-command.ts'
import { crontabLines } from '../../core/render/crontab.ts'
import type { Plan } from '../../core/render/plan.ts'
import { backupsDir } from '../../records/paths.ts'
import { keepBackup } from '../../store/shared-edit/shared-publish.ts'
import { sha256 } from '../../world/hash.ts'
import type { World } from '../../world/world.ts'
import { asTable, asText, readTable, replaceTable, type Table, toTableBytes } from './crontab.ts'
import { firstHarmful, mailWarnings, settingsAbove, settingWarnings } from './table-warnings.ts'

export interface TableChange {
  changed: boolean
  diff: string[]
  backup: string | null
  warnings: string[]
}

/** The block of the workspace `of` becomes that of the plan, or goes where there is no plan; what is kept is kept in `root`. */
export async function changeCrontab(
  world: World,
  root: string,
  { plan, dryRun, of = root }: { plan: Plan | undefined; dryRun: boolean; of?: string },
): Promise<TableChange> {
  const mark = markOf(of)
  const before = await readTable(world)
  const table = before ?? ''
  const found = sound(findBlock(table, mark))
  const lines = plan && crontabLines(plan).map(asTable)
  const harmful = plan && found.kind === 'absent' ? firstHarmful(table, plan.hostZone) : undefined
  const after = lines
    ? withBlock(table, mark, lines, { freshAt: harmful?.at })
    : nonEmpty(withoutBlock(table, mark), before)
  const warnings = [
    ...(plan && found.kind === 'found'
      ? settingWarnings(settingsAbove(table, found.start), plan.hostZone)
      : []),
    ...(harmful ? mailWarnings(table, harmful) : []),
    ...deadBlocks(world, table)
      .filter(dead => dead !== of)
      .map(deadBlockText),
  ]
  if (found.kind === 'found' && found.isEdited) {
    warnings.push(
      `the block of claw in the crontab was edited by hand${dryRun ? '' : '; what it held is in the backup'}`,
    )
  }
  const diff = diffOf(found.kind === 'found' ? found.lines : [], lines ?? [])
  const isChanged = after !== before
  if (dryRun || !isChanged) return { changed: isChanged, diff, backup: null, warnings }
  const backup =
    before === undefined || before === ''
      ? null
      : keepBackup(world, join(backupsDir(root), 'crontab'), toTableBytes(before))
  const now = await replaceTable(world, root, { before, after })
  if (now !== after)
    warnings.push('this crontab program wants a newline at the end of the table, so it has one now')
  return { changed: true, diff, backup, warnings }
}

/** Blocks whose workspace is not there any more; their lines fail each time. */
export function deadBlocks({ disk }: Pick<World, 'disk'>, table: string): string[] {
  const roots = [...table.matchAll(/^# >>> claw (\/.*?)\r?$/gm)].map(([, root]) => asText(root!))
  return [...new Set(roots)].filter(root => disk.stat(join(root, 'claw.yaml')) === undefined)
}

export function deadBlockText(root: string): string {
  return `the crontab still has the lines of ${root}, which is no workspace any more; run: claw cron uninstall --root ${shellWord(root)}`
}

/** How the lines of the workspace `root` are found in a table. */
export function markOf(root: string): { root: string; seal: (body: string) => string } {
  return { root: asTable(root), seal: body => sha256(body).slice(0, 8) }
}

/** A table of nothing is no table, where it was the block alone. */
function nonEmpty(after: string, before: Table): Table {
  return after === '' && before !== '' ? undefined : after
}

function sound(found: FoundBlock): Exclude<FoundBlock, { kind: 'broken' }> {
  if (found.kind !== 'broken') return found
  throw new ClawError(
    'conflict',
    `crontab line ${found.line}: the block of claw ${found.why}; nothing was written`,
    {
      hint: 'put it right with: crontab -e',
    },
  )
}

/** Lines that go and lines that come, in their order; what stays is left out. */
export function diffOf(before: readonly string[], after: readonly string[]): string[] {
  const gone = before.filter(line => !after.includes(line)).map(line => `- ${asText(line)}`)
  const come = after.filter(line => !before.includes(line)).map(line => `+ ${asText(line)}`)
  return [...gone, ...come]
}
