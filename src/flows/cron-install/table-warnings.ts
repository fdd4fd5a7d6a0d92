import { isTimeZone } from '../../core/zone.ts'
import { asText } from './crontab.ts'

/** A line that sets a variable for all lines below it. */
export interface TableSetting {
  line: number
  /** Offset in the table at which the line begins. */
  at: number
  name: string
  value: string
}

/** What is set above `end`, an offset in the table. */
export function settingsAbove(table: string, end: number): TableSetting[] {
  const settings: TableSetting[] = []
  let at = 0
  for (const [index, row] of table.slice(0, end).split('\n').entries()) {
    const [, name, value] =
      /^\s*["']?([A-Za-z_]\w*)["']?\s*=\s*(.*?)\s*$/.exec(asText(row).replace(/\r$/, '')) ?? []
    if (name !== undefined && value !== undefined)
      settings.push({ line: index + 1, at, name, value: value.replace(/^(["'])(.*)\1$/, '$2') })
    at += row.length + 1
  }
  return settings
}

/** The first line of the table below which lines of claw would mean something else. */
export function firstHarmful(table: string, hostZone: string): TableSetting | undefined {
  return settingsAbove(table, table.length).find(setting => harmOf(setting, hostZone) !== undefined)
}

/** Settings of the user's above the block that change what its lines mean. */
export function settingWarnings(settings: readonly TableSetting[], hostZone: string): string[] {
  return settings.flatMap(setting => {
    const harm = harmOf(setting, hostZone)
    return harm === undefined ? [] : [`crontab line ${setting.line} sets ${harm}: ${wayOut(setting)}`]
  })
}

/** What a fresh block, which goes above `harmful`, does not get of the settings below it. */
export function mailWarnings(table: string, harmful: TableSetting): string[] {
  return settingsAbove(table, table.length)
    .filter(({ name, at }) => name === 'MAILTO' && at > harmful.at)
    .map(
      ({ line, value }) =>
        `the block of claw stands above line ${harmful.line} of the crontab as it was, which sets ${harmful.name}, so MAILTO=${value} of line ${line} does not hold for it: move that line to the top with: crontab -e`,
    )
    .slice(0, 1)
}

/** A new block goes above such a line; one that is installed stays where it stands. */
export function wayOut({ line }: Pick<TableSetting, 'line'>): string {
  return `move line ${line} below the block of claw, or run: claw cron uninstall; claw cron install, which puts the block above it`
}

function harmOf({ name, value }: TableSetting, hostZone: string): string | undefined {
  if ((name === 'CRON_TZ' || name === 'TZ') && value !== '' && !isSameZone(value, hostZone))
    return `${name}=${value}, and some crons read the lines below it in that zone; those of claw count in ${hostZone}`
  if (name === 'SHELL' && !/\/(sh|ash|dash|bash|ksh|mksh|zsh)$/.test(value))
    return `SHELL=${value}, which may not read the quotes of a POSIX shell`
  return undefined
}

/** One zone has several names, such as UTC and Etc/UTC. */
function isSameZone(given: string, hostZone: string): boolean {
  return isTimeZone(given) && zoneId(given) === zoneId(hostZone)
}

function zoneId(timeZone: string): string {
  return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
}
