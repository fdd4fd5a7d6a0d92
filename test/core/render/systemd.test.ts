import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nextSlots } from '../../../src/core/cron.ts'
import type { RenderedFile } from '../../../src/core/render/plan.ts'
import { onCalendar, systemdFiles, systemdOwn, systemdPrefix } from '../../../src/core/render/systemd.ts'
import { tempDir } from '../../temp-dir.ts'
import { oddPaths } from './odd-paths.ts'
import { expressions, planAt } from './plan-rig.ts'

const skip =
  spawnSync('systemd-analyze', ['--version']).error === undefined
    ? false
    : 'systemd-analyze (systemd) is not installed'

const timeZone = 'Asia/Shanghai'

test('a timer keeps the time of the job in its own zone and makes up for one miss; its service ends by itself', () => {
  const plan = planAt('/srv/team')
  const [unit, timer, tickUnit, tickTimer] = systemdFiles(plan)
  assert.equal(unit!.name, `${systemdPrefix(plan)}ainews-morning-digest.service`)
  assert.ok(unit!.text.startsWith(systemdOwn('/srv/team')))
  assert.match(
    unit!.text,
    /^Type=oneshot\nExecStart=:\S+ \/srv\/team\/dist\/main\.js -C \/srv\/team run ainews morning-digest --slot due --quiet$/m,
  )
  assert.match(timer!.text, /^OnCalendar=\*-\*-\* 08:30:00 Asia\/Shanghai\nPersistent=true\nAccuracySec=1s$/m)
  assert.match(tickUnit!.text, / -C \/srv\/team tick --quiet$/m)
  assert.match(tickTimer!.text, /^OnCalendar=\*-\*-\* \*:\*:00\nPersistent=false$/m)
})

test('either day field has an OnCalendar of its own where cron takes either', () => {
  assert.deepEqual(onCalendar({ expression: '10 6 13 * 5', timeZone }), [
    '*-*-13 06:10:00 Asia/Shanghai',
    'Fri *-*-* 06:10:00 Asia/Shanghai',
  ])
  assert.deepEqual(onCalendar({ expression: '0 6 */15 * 1', timeZone }), [
    'Mon *-*-01,16,31 06:00:00 Asia/Shanghai',
  ])
})

/** The next three moments that systemd makes of one or two lines. */
function elapses(lines: readonly string[], from: string): number[] {
  const printed = execFileSync(
    'systemd-analyze',
    ['calendar', '--iterations=3', `--base-time=${from}`, ...lines],
    { encoding: 'utf8', env: { ...process.env, TZ: 'UTC', LC_ALL: 'C' } },
  )
  const found = [...printed.matchAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC/g)].map(([, date, time]) =>
    Date.parse(`${date}T${time}Z`),
  )
  return [...new Set(found)].sort((a, b) => a - b).slice(0, 3)
}

test('systemd reckons the same moments from its lines as claw from the schedule', { skip }, () => {
  const from = Date.UTC(2026, 7, 1)
  for (const expression of expressions) {
    const lines = onCalendar({ expression, timeZone })
    const own = nextSlots({ kind: 'cron', expression }, timeZone, from, 3)
    assert.deepEqual(elapses(lines, '2026-08-01 00:00:00 UTC'), own, expression)
  }
})

test('that comparison notices a line an hour off', { skip }, () => {
  const own = nextSlots({ kind: 'cron', expression: '30 8 * * *' }, timeZone, Date.UTC(2026, 7, 1), 3)
  assert.notDeepEqual(elapses(['*-*-* 09:30:00 Asia/Shanghai'], '2026-08-01 00:00:00 UTC'), own)
})

function verify(dir: string, files: readonly RenderedFile[]): string {
  for (const { name, text } of files) writeFileSync(join(dir, name), text)
  const paths = files.map(({ name }) => join(dir, name))
  const { stderr, stdout } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
    encoding: 'utf8',
  })
  return (stderr + stdout)
    .split('\n')
    .filter(line => line.includes(dir) || /claw-/.test(line))
    .join('\n')
}

/** The words of ExecStart as systemd.service(5) reads them after a `:`. */
function execWords(text: string): string[] {
  const line = /^ExecStart=:(.*)$/m.exec(text)![1]!
  return [...line.matchAll(/"((?:\\.|[^"\\])*)"|(\S+)/g)].map(([, quoted, plain]) =>
    (quoted?.replaceAll(/\\(.)/g, '$1') ?? plain!).replaceAll('%%', '%'),
  )
}

test('the units of 200 odd paths pass systemd-analyze verify and hold each path', { skip }, t => {
  const files: RenderedFile[] = []
  for (const root of oddPaths(200)) {
    const [unit, timer] = systemdFiles(planAt(root))
    const { program } = planAt(root)
    assert.deepEqual(execWords(unit!.text).slice(0, 4), [program.nodePath, program.scriptPath, '-C', root])
    files.push(unit!, timer!)
  }
  assert.equal(verify(tempDir(t), files), '')
})

test('a node under an odd path is started too', { skip }, t => {
  const dir = tempDir(t)
  const files = oddPaths(20).flatMap(path => {
    const folder = join(dir, path)
    mkdirSync(folder, { recursive: true })
    symlinkSync(process.execPath, join(folder, 'node'))
    const plan = planAt(path)
    return systemdFiles({ ...plan, program: { ...plan.program, nodePath: join(folder, 'node') } }).slice(0, 2)
  })
  assert.equal(verify(dir, files), '')
})

test('verify tells of a unit that was not escaped', { skip }, t => {
  const [unit, timer] = systemdFiles(planAt('/srv/team'))
  const bad = { ...unit!, text: unit!.text.replace('-C /srv/team', '-C "/srv/%q') }
  assert.notEqual(verify(tempDir(t), [bad, timer!]), '')
})
