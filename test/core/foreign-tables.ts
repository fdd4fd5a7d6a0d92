import { SeededRandom } from '../../src/sim/seeded-random.ts'

const latin = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

const rows = [
  '# m h dom mon dow command',
  'MAILTO="a@b.example"',
  'MAILTO=',
  'PATH=/usr/local/bin:/usr/bin:/bin',
  'SHELL=/bin/bash',
  'CRON_TZ=UTC',
  '*/3 * * * * cd /srv/x && ./run.sh >> log 2>&1',
  String.raw`0 4 * * * find /tmp -name "*.$(date +\%F)" -delete`,
  '5 5 * * * mail -s hi me%first line%second line',
  '@reboot sleep 10 && echo "up"',
  '  \t ',
  '',
  '#',
  latin('# 每天备份 🙂'),
  '# caf\u00E9 \u00FF\u0080\u00C3',
  '\u000B\u000C# form feed',
  '# >>> claw',
  '# <<< claw',
  '# >>> claw /home/x/team2',
]

/** Crontabs of other people, one character a byte, always the same; the first one is empty. */
export function foreignTables(count: number): string[] {
  const random = new SeededRandom(11)
  const pick = (below: number): number => Math.floor(random.fraction() * below)
  return Array.from({ length: count }, (_, index) => {
    const isCrlf = pick(4) === 0
    const lines = Array.from({ length: index === 0 ? 0 : 1 + pick(12) }, () => rows[pick(rows.length)] ?? '')
    const end = (): string => (isCrlf || pick(12) === 0 ? '\r\n' : '\n')
    const table = lines.map(line => line + end()).join('')
    return pick(3) === 0 ? table.replace(/\r?\n$/, '') : table
  })
}
