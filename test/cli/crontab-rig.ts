import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** How the stand-in for crontab(1) behaves. */
export type CrontabMood = 'well' | 'unreadable' | 'strict' | 'refuses' | 'loses' | 'two-faced'

/** A user with a crontab of bytes in a folder of its own, and a crontab(1) that obeys `mood`. */
export interface CrontabUser {
  env: Record<string, string>
  /** Undefined when there is none. */
  table: () => Buffer | undefined
  write: (table: Buffer | undefined) => void
  mood: (mood: CrontabMood) => void
}

const program = `#!/bin/sh
table="$HOME/table"
mood=$(cat "$HOME/mood")
case "$1" in
-l)
  [ "$mood" = unreadable ] && { echo "crontab: spool/x: Permission denied" >&2; exit 1; }
  [ -f "$table" ] || { echo "no crontab for x" >&2; exit 1; }
  cat "$table" ;;
-r) rm "$table" ;;
*)
  [ "$mood" = refuses ] && { echo "You (x) are not allowed to use this program (crontab)" >&2; exit 1; }
  [ "$mood" = loses ] && exit 0
  [ "$mood" = strict ] && [ -n "$(tail -c 1 "$1")" ] && { echo "new crontab file is missing newline before EOF, can't install." >&2; exit 1; }
  [ "$mood" = two-faced ] && { head -n 1 "$1" > "$table"; exit 0; }
  cat "$1" > "$table" ;;
esac
`

export function crontabUser(folder: string): CrontabUser {
  const [bin, home] = [join(folder, 'bin'), join(folder, 'home')]
  for (const dir of [bin, home]) mkdirSync(dir, { recursive: true })
  writeFileSync(join(bin, 'crontab'), program)
  chmodSync(join(bin, 'crontab'), 0o755)
  const table = join(home, 'table')
  const mood = (name: CrontabMood): void => writeFileSync(join(home, 'mood'), name)
  mood('well')
  return {
    env: { PATH: `${bin}:${process.env['PATH']}`, HOME: home },
    table: () => (existsSync(table) ? readFileSync(table) : undefined),
    write: bytes => (bytes === undefined ? rmSync(table, { force: true }) : writeFileSync(table, bytes)),
    mood,
  }
}
