import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { slotsBetween } from '../../src/core/cron.ts'
import { type Millis, minuteMs, secondMs } from '../../src/core/millis.ts'
import { localTime } from '../../src/core/zone.ts'

const zone = 'Europe/Berlin'

/** Fixed times and wildcards in the hours in which the clocks are changed. */
const lines = [
  '30 2 * * *',
  '45 2 * * 0',
  '15 1 * * *',
  '0 * * * *',
  '*/30 * * * *',
  '*/20 2 * * *',
  '0 4 * * *',
]

/** Fake seconds a real second; a fake minute is half a second. */
const speed = 120
const fakeMinutes = 225

/** A busy machine starts a job late: so many fake minutes are still the same moment. */
const lateMs = 6 * minuteMs

export interface CronDay {
  date: string
  from: Millis
  until: Millis
  fired: { line: string; at: string; moment: Millis }[]
}

/** Why a real cron cannot be run in a namespace of its own; undefined when it can. */
export function daemonReason(): string | undefined {
  if (process.getuid?.() !== 0) return 'a cron of its own needs root'
  const missing = ['/usr/sbin/cron', '/usr/bin/faketime', '/usr/bin/unshare'].filter(
    path => !existsSync(path),
  )
  if (missing.length > 0) return `${missing.join(', ')} not installed`
  const isAllowed = spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0
  return isAllowed ? undefined : 'namespaces are not allowed here'
}

/** Why no crontab can be checked here; undefined when one can. */
export function crontabReason(): string | undefined {
  return isCrontab(['0 0 * * *']) ? undefined : 'no crontab that checks a file (`crontab -n`) here'
}

/** Whether Debian's crontab accepts these lines. Nothing is installed. */
export function isCrontab(expressions: readonly string[]): boolean {
  const input = expressions.map(expression => `${expression} true\n`).join('')
  const { status } = spawnSync('crontab', ['-n', '-'], { input })
  return status === 0
}

/*
 * Everything that cron reads or writes is a mount of the namespace: the tables of
 * this machine are neither seen nor changed, and all of it ends with the script.
 */
const script = `
set -e
mount --make-rprivate /
mkdir -p "$WORK/d"; : > "$WORK/empty"
mount --bind "$WORK/d" /etc/cron.d
[ -e /etc/crontab ] && mount --bind "$WORK/empty" /etc/crontab
mount -t tmpfs tmpfs /var/spool/cron/crontabs
chmod 1730 /var/spool/cron/crontabs; chgrp crontab /var/spool/cron/crontabs
mount -t tmpfs tmpfs /run
mount -t tmpfs tmpfs /dev/shm
export TZ=$ZONE
mount --bind "/usr/share/zoneinfo/$ZONE" /etc/localtime
crontab "$WORK/table"
date +%s.%N > "$WORK/started"
FAKETIME_DONT_FAKE_MONOTONIC=0 faketime -f "@$START x$SPEED" cron -f -L 15 2>"$WORK/err" &
child=$!
sleep "$SECONDS_LONG"
kill "$child" || true
`

/** One night from 00:40 on, in fake time, with a cron that knows nothing of it. */
export async function cronDay(date: string): Promise<CronDay> {
  const work = mkdtempSync(join(tmpdir(), 'claw-cron-'))
  try {
    const table = lines.map((line, index) => `${line} echo ${index} $(date +\\%s.\\%N) >> ${work}/out`)
    writeFileSync(join(work, 'table'), `SHELL=/bin/sh\n${table.join('\n')}\n`)
    await run('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'bash', '-c', script], {
      WORK: work,
      ZONE: zone,
      START: `${date} 00:40:30`,
      SPEED: String(speed),
      SECONDS_LONG: String((fakeMinutes * 60) / speed),
    })
    const started = Number(readFileSync(join(work, 'started'), 'utf8')) * secondMs
    const from = startOf(date)
    const out = existsSync(join(work, 'out')) ? readFileSync(join(work, 'out'), 'utf8') : ''
    const fired = out
      .trim()
      .split('\n')
      .filter(Boolean)
      .map(text => {
        const [index, second] = text.split(' ')
        const moment = from + (Number(second) * secondMs - started) * speed
        return { line: lines[Number(index)]!, at: localTime(moment, zone).time, moment }
      })
    return { date, from, until: from + fakeMinutes * minuteMs, fired }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** 00:40:30 in the zone; both nights begin before any change. */
function startOf(date: string): Millis {
  const asUtc = Date.parse(`${date}T00:40:30Z`)
  return asUtc - localTime(asUtc - 6 * 60 * minuteMs, zone).offsetMinutes * minuteMs
}

/** Firings without a slot and slots without a firing; the last minutes are left out, where either may be cut off. */
export function unexplained({ from, until, fired }: CronDay): string[] {
  return lines.flatMap(line => {
    const slots = slotsBetween({ kind: 'cron', expression: line }, zone, from, until - 2 * lateMs)
    const left = fired.filter(one => one.line === line).map(({ moment }) => moment)
    const silent = slots.filter(slot => {
      const at = left.findIndex(moment => moment >= slot - minuteMs && moment < slot + lateMs)
      if (at !== -1) left.splice(at, 1)
      return at === -1
    })
    const extra = left.filter(moment => moment < until - 2 * lateMs)
    return [
      ...silent.map(slot => `${line} did not fire at ${localTime(slot, zone).time}`),
      ...extra.map(moment => `${line} fired at ${localTime(moment, zone).time}`),
    ]
  })
}

function run(program: string, argv: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(program, argv, { env: { ...process.env, ...env }, stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', () => resolve())
  })
}
