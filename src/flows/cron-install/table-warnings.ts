import { asText } from './crontab.ts'

/** A line that sets a variable for all lines below it. */
export interface TableSetting {
  line: number
  name: string
  value: string
}

/** What is set above `end`, an offset in the table. */
export function settingsAbove(table: string, end: number): TableSetting[] {
  return asText(table.slice(0, end))
    .split('\n')
    .flatMap((text, index) => {
      const [, name, value] =
        /^\s*["']?([A-Za-z_]\w*)["']?\s*=\s*(.*?)\s*$/.exec(text.replace(/\r$/, '')) ?? []
      if (name === undefined || value === undefined) return []
      return [{ line: index + 1, name, value: value.replace(/^(["'])(.*)\1$/, '$2') }]
    })
}

/** Settings of the user's that change what lines of claw below them mean. */
export function settingWarnings(settings: readonly TableSetting[], hostZone: string): string[] {
  return settings.flatMap(({ line, name, value }) => {
    if ((name === 'CRON_TZ' || name === 'TZ') && value !== '' && value !== hostZone) {
      return [
        `crontab line ${line} sets ${name}=${value}, and some crons read the lines below it in that zone; those of claw count in ${hostZone}: move line ${line} below the block of claw`,
      ]
    }
    if (name === 'SHELL' && !/\/(sh|ash|dash|bash|ksh|mksh|zsh)$/.test(value)) {
      return [
        `crontab line ${line} sets SHELL=${value}, which may not read the quotes of a POSIX shell: move line ${line} below the block of claw`,
      ]
    }
    return []
  })
}
