import { spawn, spawnSync } from 'node:child_process'
import process from 'node:process'

/** Debian's cron in namespaces of its own: neither reads nor changes the crontabs of this host, and dies with them. */
const script = `
set -e
mount --make-rprivate /
mkdir -p "$W/d"; : > "$W/empty"
mount --bind "$W/d" /etc/cron.d
mount --bind "$W/empty" /etc/crontab
mount -t tmpfs tmpfs /var/spool/cron/crontabs
chmod 1730 /var/spool/cron/crontabs; chgrp crontab /var/spool/cron/crontabs
mount -t tmpfs tmpfs /run
printf '%s' "$TABLE" | crontab -
"$NODE" "$MAIN" -C "$ROOT" cron install --json >&2
crontab -l > "$W/installed"
cron -f & cron=$!
left=$SECONDS_AT_MOST
until grep -qs "$EXPECTED" $RECORDS || [ $left = 0 ]; do sleep 1; left=$((left - 1)); done
sleep 1
kill $cron
"$NODE" "$MAIN" -C "$ROOT" cron uninstall --json >&2
crontab -l > "$W/uninstalled"
echo $((SECONDS_AT_MOST - left))
`

export interface RealCronRequest {
  /** A folder for what the run leaves: `installed`, `uninstalled`. */
  folder: string
  root: string
  main: string
  /** The crontab before the install. */
  table: string
  /** A glob of files, and text that one of them holds as soon as the job has run. */
  records: string
  expected: string
  secondsAtMost: number
}

/** Installs the workspace, lets the real cron run until the text is there, uninstalls; resolves to the seconds it took. */
export function realCron(request: RealCronRequest): Promise<number> {
  const env = {
    PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
    HOME: process.env['HOME'] ?? '/root',
    W: request.folder,
    ROOT: request.root,
    MAIN: request.main,
    NODE: process.execPath,
    TABLE: request.table,
    RECORDS: request.records,
    EXPECTED: request.expected,
    SECONDS_AT_MOST: String(request.secondsAtMost),
  }
  const argv = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc', 'bash', '-c', script]
  const child = spawn('unshare', argv, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  return new Promise((resolve, reject) => {
    child.once('close', code =>
      code === 0 ? resolve(Number(out.trim())) : reject(new Error(`exit ${code}: ${err}`)),
    )
  })
}

/** Why there is no real cron here, or false. */
export function skipWithoutCron(): string | false {
  if (process.getuid?.() !== 0) return 'namespaces need root'
  for (const program of ['cron', 'crontab', 'unshare']) {
    const found = spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${program}`]).status === 0
    if (!found) return `${program} is not installed`
  }
  return spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0
    ? false
    : 'unshare is not allowed here'
}
