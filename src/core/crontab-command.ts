import { ClawError } from './claw-error.ts'

/** Vixie cron and its children cut or refuse a command of 1000 bytes (MAX_COMMAND in their cron.h). */
const maxCommandBytes = 998

// oxlint-disable-next-line no-control-regex
const control = /[\u0000-\u001F\u007F]/

/**
 * The words as the command of a crontab line. Two readers follow: cron, for
 * which a bare percent sign ends the command, and `/bin/sh`. Throws `usage` for
 * what no crontab line can say.
 */
export function cronCommand(words: readonly string[]): string {
  for (const word of words) {
    if (control.test(word)) {
      throw new ClawError(
        'usage',
        `a crontab line cannot hold the control character in ${JSON.stringify(word)}`,
        {
          hint: 'rename that file or folder',
        },
      )
    }
  }
  const command = `${words.map(cronWord).join(' ')} >/dev/null`
  const sizeBytes = new TextEncoder().encode(command).length
  if (sizeBytes <= maxCommandBytes) return command
  throw new ClawError(
    'usage',
    `a crontab line holds at most ${maxCommandBytes} bytes, this one needs ${sizeBytes}`,
    {
      hint: 'move the workspace to a shorter path',
    },
  )
}

/**
 * Cron takes the backslash off `\%` and leaves all other backslashes alone, so
 * one that stands before a percent sign is kept apart from it by an empty
 * quotation.
 */
function cronWord(word: string): string {
  return shellWord(word)
    .replaceAll(String.raw`\%`, String.raw`\''%`)
    .replaceAll('%', String.raw`\%`)
}

/** One word of a POSIX shell's command line. */
export function shellWord(word: string): string {
  return /^[\w@+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** The command of a line as the shell will see it: what `cronCommand` did for cron is undone. */
export function shellCommand(line: string): string {
  const command = /^\s*(?:\S+\s+){5}(.*)$/.exec(line)?.[1] ?? ''
  return command.replaceAll(String.raw`\%`, '%')
}
