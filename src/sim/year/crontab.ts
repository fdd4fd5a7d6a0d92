import { nextSlots } from '../../core/cron.ts'
import { shellCommand } from '../../core/crontab-command.ts'
import type { Millis } from '../../core/millis.ts'

/** One line of a crontab, as the host's cron reads it. */
export interface CronLine {
  expression: string
  /** What claw is called with: the words after interpreter and script. */
  argv: readonly string[]
  isTick: boolean
}

/** The lines of a table; comments, blank lines and settings are passed over. Throws for a line that is none of them. */
export function cronLines(table: string): CronLine[] {
  return table
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !line.startsWith('#') && !/^\w+\s*=/.test(line))
    .map(line => {
      const expression = /^(?:\S+\s+){5}/.exec(line)?.[0].trim()
      if (expression === undefined) throw new Error(`not a line of a crontab: ${line}`)
      const argv = shellWords(shellCommand(line)).slice(2)
      return { expression, argv, isTick: argv.includes('tick') }
    })
}

/** When cron fires this line next, by the clock of the host. */
export function nextFire({ expression }: CronLine, hostZone: string, after: Millis): Millis {
  return nextSlots({ kind: 'cron', expression }, hostZone, after, 1)[0] ?? Number.POSITIVE_INFINITY
}

/** The words of a command without its redirections, as far as `cronCommand` writes them. */
function shellWords(command: string): string[] {
  const words = command.match(/(?:'[^']*'|\\.|[^\s'\\])+/g) ?? []
  return words
    .filter(word => !word.startsWith('>'))
    .map(word =>
      word.replaceAll(/'([^']*)'|\\(.)/g, (_, quoted?: string, escaped?: string) => quoted ?? escaped ?? ''),
    )
}
