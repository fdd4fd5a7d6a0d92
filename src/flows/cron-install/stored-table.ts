import { join } from 'node:path'
import { ClawError } from '../../core/claw-error.ts'
import { DiskError } from '../../world/disk.ts'
import type { World } from '../../world/world.ts'

/** Where Debian and its kin keep the tables; only root may read there. */
const spool = '/var/spool/cron/crontabs'

/** Debian puts so many lines of its own before a table, and takes them off when it lists it. */
const mostHeaderLines = 3

const spelt: Readonly<Record<string, string>> = {
  '\r': '\\r',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
}

/**
 * The table as it is stored, one character a byte. Debian's `crontab -l` spells
 * control bytes out, also into a pipe (measured with 3.0pl1-162): a line that ends in
 * CRLF is listed with the two characters `\r`, and writing that back would change it
 * for good. Throws `not-recorded` where the true bytes cannot be known.
 */
export function storedTable({ disk, host }: Pick<World, 'disk' | 'host'>, listed: string): string {
  if (!/\\[abfrv]/.test(listed)) return listed
  for (const user of new Set([host.env['LOGNAME'], host.env['USER'], 'root'])) {
    const stored = user === undefined ? undefined : peek(disk, join(spool, user))
    const found = stored === undefined ? undefined : withoutHeader(stored, listed)
    if (found !== undefined) return found
  }
  const line = listed.split('\n').findIndex(text => text.endsWith('\\r'))
  if (line === -1) return listed
  throw new ClawError(
    'not-recorded',
    `crontab line ${line + 1} seems to end in CRLF, which this crontab program spells out as \\r; nothing was changed, since writing it back would break the line`,
    {
      hint: 'take the carriage returns out with `crontab -e`, or add what `claw cron render` prints by hand',
    },
  )
}

function withoutHeader(stored: string, listed: string): string | undefined {
  let rest = stored
  for (let header = 0; header <= mostHeaderLines; header++) {
    if (speltOut(rest) === listed) return rest
    rest = rest.slice(rest.indexOf('\n') + 1)
  }
  return undefined
}

function speltOut(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/[\r\x07\b\f\v]/g, byte => spelt[byte]!)
}

function peek(disk: World['disk'], path: string): string | undefined {
  try {
    const bytes = disk.read(path)
    return bytes && Buffer.from(bytes).toString('latin1')
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return undefined
  }
}
