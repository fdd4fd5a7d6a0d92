import { join } from 'node:path'
import { ClawError } from '../../core/claw-error.ts'
import { stateDir } from '../../records/paths.ts'
import { writeDraft } from '../../store/atomic-file.ts'
import type { SpawnReply } from '../../world/spawn.ts'
import type { World } from '../../world/world.ts'
import { storedTable } from './stored-table.ts'

/** A user's crontab, one character a byte; undefined when the user has none. */
export type Table = string | undefined

/** Far above what a person keeps; a table that is longer is not touched. */
const maxBytes = 4 * 1_048_576
const timeoutMs = 20_000

/** What `crontab -l` says with exit 1 when there is nothing to show: Debian, cronie, macOS; the second is BusyBox. */
const noTable = /no crontab for |can't open '[^']*': No such file or directory/i

/** Throws when the table cannot be read: then nothing may be written. */
export async function readTable(world: World): Promise<Table> {
  const reply = await crontab(world, '-l')
  const { outcome, stdout, stdoutBytes } = reply
  if (outcome.kind === 'exited' && outcome.exitCode === 0 && stdoutBytes <= maxBytes)
    return storedTable(world, fromBytes(stdout))
  if (outcome.kind === 'exited' && stdoutBytes === 0 && noTable.test(fromBytes(reply.stderr)))
    return undefined
  if (outcome.kind === 'not-started') {
    throw new ClawError('not-found', 'this host has no crontab program', {
      hint: 'install cron, or use: claw cron install --format systemd (or launchd)',
    })
  }
  const why = stdoutBytes > maxBytes ? `it has more than ${maxBytes} bytes` : endOf(reply)
  throw new ClawError('not-recorded', `the crontab cannot be read (${why}); nothing was changed`, {
    hint: 'see what `crontab -l` says',
  })
}

/**
 * Makes `after` the table if it is still `before`, and reads it back. Throws
 * `conflict` or `not-recorded` when the table is as it was, `not-known` when it
 * is neither one. Returns what stands there now: some programs insist on a
 * newline at the end.
 */
export async function replaceTable(
  world: World,
  root: string,
  { before, after }: { before: Table; after: Table },
): Promise<Table> {
  if ((await readTable(world)) !== before) {
    throw new ClawError('conflict', 'the crontab was changed by someone else just now; nothing was written', {
      hint: 'try again',
    })
  }
  const reply = after === undefined ? await crontab(world, '-r') : await install(world, root, after)
  const now = await readTable(world)
  if (now === after) return now
  if (now === before && after !== undefined && !after.endsWith('\n')) {
    return replaceTable(world, root, { before, after: `${after}\n` })
  }
  if (now === before) {
    throw new ClawError(
      'not-recorded',
      `crontab did not take the lines (${endOf(reply)}); nothing was changed`,
      {
        hint: 'are you allowed to use it? See cron.allow and cron.deny in `man crontab`',
      },
    )
  }
  throw new ClawError('not-known', 'the crontab is neither what it was nor what was written', {
    hint: `compare \`crontab -l\` with the newest file in ${join(stateDir(root), 'backups', 'crontab')}`,
  })
}

export function toTableBytes(table: string): Uint8Array {
  return Buffer.from(table, 'latin1')
}

/** Text of ours in the bytes that a table holds. */
export function asTable(text: string): string {
  return fromBytes(Buffer.from(text, 'utf8'))
}

/** Bytes of a table that are meant as text. */
export function asText(table: string): string {
  return Buffer.from(table, 'latin1').toString('utf8')
}

/** Through a file, since stdin of a child takes text only and a table is any bytes. */
async function install(world: World, root: string, table: string): Promise<SpawnReply> {
  const draft = writeDraft(world, join(stateDir(root), 'crontab'), toTableBytes(table), { durable: false })
  try {
    return await crontab(world, draft)
  } finally {
    world.disk.remove(draft)
  }
}

function crontab({ spawn, host }: World, word: string): Promise<SpawnReply> {
  const kept = ['HOME', 'LOGNAME', 'USER', 'TMPDIR'].flatMap(name => {
    const value = host.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const env = {
    ...Object.fromEntries(kept),
    PATH: host.env['PATH'] ?? '/usr/bin:/bin',
    LC_ALL: 'C',
    // Some builds of cron put three lines of their own before the table.
    CRONTAB_NOHEADER: 'Y',
  }
  return spawn.run({ argv: ['crontab', word], cwd: '/', env, timeoutMs, maxBytes })
}

function endOf({ outcome, stderr }: SpawnReply): string {
  const [line = ''] = asText(fromBytes(stderr)).trim().split('\n')
  if (line !== '') return line
  switch (outcome.kind) {
    case 'exited':
      return `exit ${outcome.exitCode}`
    case 'killed':
      return `ended by ${outcome.signal}`
    case 'timed-out':
      return 'it does not end'
    case 'not-started':
      return outcome.why
  }
}

function fromBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
