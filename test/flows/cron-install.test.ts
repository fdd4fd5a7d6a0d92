import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { isClawError } from '../../src/core/claw-error.ts'
import { withBlock } from '../../src/core/crontab-block.ts'
import { installCron, uninstallCron } from '../../src/flows/cron-install.ts'
import { ScriptHttp } from '../../src/sim/script-http.ts'
import { nodeWorld } from '../../src/world/node-world.ts'
import type { World } from '../../src/world/world.ts'
import { type CrontabMood, type CrontabUser, crontabUser } from '../cli/crontab-rig.ts'
import { foreignTables } from '../core/foreign-tables.ts'
import { tempDir } from '../temp-dir.ts'

const request = { format: 'crontab', dryRun: false } as const

const files: Record<string, string> = {
  'claw.yaml': 'team: test\ntimezone: Asia/Shanghai\n',
  'agents/ann/SOUL.md': 'Be exact.\n',
  'agents/ann/jobs/list.md': '---\nschedule: "30 8 * * *"\n---\nWrite.\n',
  'agents/ann/jobs/often.md': '---\nevery: 45m\n---\nWrite.\n',
  'agents/ann/jobs/off.md': '---\nschedule: "0 9 * * *"\nenabled: false\n---\nWrite.\n',
}

interface Place {
  world: World
  root: string
  user: CrontabUser
}

/** A workspace, a user and an installation of claw, all below one folder with a blank in its name. */
function place(t: TestContext): Place {
  const folder = join(tempDir(t), 'my team')
  const root = join(folder, 'ws')
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const packageDir = join(folder, 'claw')
  mkdirSync(join(packageDir, 'dist'), { recursive: true })
  writeFileSync(join(packageDir, 'dist', 'main.js'), '')
  const user = crontabUser(folder)
  const real = nodeWorld({ http: new ScriptHttp() })
  const host = {
    ...real.host,
    env: user.env,
    homeDir: user.env['HOME']!,
    packageDir,
    execPath: process.execPath,
  }
  return { world: { ...real, host }, root, user }
}

function backups(root: string): Buffer[] {
  const dir = join(root, '.claw', 'backups', 'crontab')
  return readdirSync(dir).map(name => readFileSync(join(dir, name)))
}

test('50 installs and uninstalls over the crontabs of other people leave every byte of theirs', async t => {
  const { world, root, user } = place(t)
  for (const [index, text] of foreignTables(50).entries()) {
    const table = Buffer.from(text, 'latin1')
    user.write(table)
    const { changed } = await installCron(world, root, request)
    const installed = user.table()!
    assert.ok(changed)
    assert.equal(withoutOurs(installed, root), withNewline(text), `table ${index}`)
    assert.equal((await installCron(world, root, request)).changed, false)
    assert.ok(user.table()!.equals(installed))
    await uninstallCron(world, root, request)
    assert.ok((user.table() ?? Buffer.alloc(0)).equals(table), `table ${index}`)
    if (table.length > 0)
      assert.ok(
        backups(root).some(copy => copy.equals(table)),
        `table ${index}`,
      )
  }
})

function withoutOurs(installed: Buffer, root: string): string {
  const [before, rest] = installed.toString('latin1').split(`# >>> claw ${root}\n`)
  return withNewline(`${before}${rest?.split(`# <<< claw ${root}\n`)[1]}`)
}

function withNewline(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}

test('who had no crontab has none again', async t => {
  const { world, root, user } = place(t)
  const { backup } = await installCron(world, root, request)
  assert.equal(backup, null)
  assert.match(
    String(user.table()),
    /^# >>> claw .*\n# .*\n30 \S+ \* \* \* .* run ann list .*\n\* \* \* \* \* .* tick .*\n# <<< claw .*\n$/,
  )
  assert.equal((await uninstallCron(world, root, request)).changed, true)
  assert.equal(user.table(), undefined)
  assert.equal((await uninstallCron(world, root, request)).changed, false)
})

test('a job without lines is left to the tick by name, and a job that is off is left out', async t => {
  const { world, root, user } = place(t)
  const { jobs, byTick } = await installCron(world, root, request)
  assert.deepEqual([jobs, byTick.map(({ job }) => job)], [1, ['ann/often']])
  assert.doesNotMatch(String(user.table()), / ann (often|off) /)
})

/** Installs into a table of other people with such a crontab(1); returns what it threw and what is left. */
async function inMood(t: TestContext, mood: CrontabMood, act = installCron) {
  const { world, root, user } = place(t)
  const before = Buffer.from('MAILTO=me\n0 1 * * * keep')
  user.write(before)
  if (act === uninstallCron) await installCron(world, root, request)
  user.mood(mood)
  const error: unknown = await act(world, root, request).then(
    () => undefined,
    thrown => thrown,
  )
  return { error, before: String(before), after: String(user.table()), root }
}

test('when the table cannot be read nothing is written', async t => {
  const { error, before, after } = await inMood(t, 'unreadable')
  assert.ok(isClawError(error, 'not-recorded'))
  assert.match(error.message, /cannot be read \(crontab: spool\/x: Permission denied\); nothing was changed/)
  assert.equal(after, before)
})

test('an installer that takes a failed read for an empty table loses the lines of others', async t => {
  const { user } = place(t)
  user.write(Buffer.from('0 1 * * * keep\n'))
  user.mood('unreadable')
  const env = { ...user.env }
  execFileSync(
    '/bin/sh',
    ['-c', '(crontab -l 2>/dev/null; echo "* * * * * claw") > "$HOME/new"; crontab "$HOME/new"'],
    { env },
  )
  assert.doesNotMatch(String(user.table()), /keep/)
})

test('a crontab that refuses or loses the lines is told, and the table is as it was', async t => {
  const refused = await inMood(t, 'refuses')
  assert.ok(isClawError(refused.error, 'not-recorded'))
  assert.match(refused.error.message, /not allowed to use this program/)
  assert.equal(refused.after, refused.before)
  const lost = await inMood(t, 'loses')
  assert.ok(isClawError(lost.error, 'not-recorded'))
  assert.equal(lost.after, lost.before)
})

test('a crontab that keeps something else ends as not known, and the backup has the table', async t => {
  const { error, before, root } = await inMood(t, 'two-faced')
  assert.ok(isClawError(error, 'not-known'))
  assert.deepEqual(backups(root).map(String), [before])
})

test('where a table must end in a newline, it ends in one after the uninstall', async t => {
  const { error, before, after } = await inMood(t, 'strict', uninstallCron)
  assert.equal(error, undefined)
  assert.equal(after, `${before}\n`)
})

test('an edit by hand is told, and what it held is kept', async t => {
  const { world, root, user } = place(t)
  user.write(Buffer.from('MAILTO=me\n'))
  await installCron(world, root, request)
  const edited = String(user.table()).replace('\n30 ', '\n31 ')
  user.write(Buffer.from(edited))
  const dry = await installCron(world, root, { ...request, dryRun: true })
  assert.deepEqual(
    dry.diff.map(line => line.slice(0, 5)),
    ['- 31 ', '+ 30 '],
  )
  assert.equal(String(user.table()), edited)
  const { warnings } = await installCron(world, root, request)
  assert.ok(
    warnings.some(line => /edited by hand; what it held is in the backup/.test(line)),
    String(warnings),
  )
  assert.ok(backups(root).map(String).includes(edited))
})

const harmfulTable =
  'MAILTO=me\n0 1 * * * keep\nCRON_TZ=Pacific/Auckland\n SHELL = "/usr/bin/fish"\nMAILTO=you\n0 2 * * * x'

test('a new block goes above the first line that would change its meaning, and comes out again', async t => {
  const { world, root, user } = place(t)
  for (const table of [harmfulTable, harmfulTable.replaceAll('\n', '\r\n'), 'TZ=Pacific/Auckland']) {
    user.write(Buffer.from(table))
    const { warnings } = await installCron(world, root, request)
    const installed = String(user.table())
    assert.ok(meaningHolds(installed), installed)
    assert.equal(
      warnings.some(line => line.startsWith('crontab line')),
      false,
      String(warnings),
    )
    assert.equal(
      warnings.some(line => /so MAILTO=you of line 5 does not hold/.test(line)),
      table !== 'TZ=Pacific/Auckland',
    )
    assert.equal((await installCron(world, root, request)).changed, false)
    await uninstallCron(world, root, request)
    assert.equal(String(user.table()), table)
  }
})

/** No zone and no shell of somebody else stands above the lines of claw. */
function meaningHolds(table: string): boolean {
  return !/^\s*(CRON_TZ|TZ|SHELL)\s*=/m.test(table.slice(0, table.indexOf('# >>> claw')))
}

test('an installer that puts its block at the end has its lines read in the zone of another', () => {
  const mark = { root: '/ws', seal: () => '00000000' }
  assert.equal(meaningHolds(withBlock(harmfulTable, mark, ['* * * * * claw tick'])), false)
})

test('a block that is installed stays where it stands, and what was put above it since is told', async t => {
  const { world, root, user } = place(t)
  await installCron(world, root, request)
  user.write(Buffer.from(`${harmfulTable}\n${String(user.table())}`))
  const { changed, warnings } = await installCron(world, root, request)
  assert.equal(changed, false)
  for (const start of [
    'crontab line 3 sets CRON_TZ=Pacific/Auckland',
    'crontab line 4 sets SHELL=/usr/bin/fish',
  ])
    assert.ok(
      warnings.some(line => line.startsWith(start) && /move line \d below the block/.test(line)),
      String(warnings),
    )
})

test('a path that does not last is refused, one in a temporary folder is told', async t => {
  const { world, root } = place(t)
  const { host } = world
  const cached = { ...world, host: { ...host, packageDir: '/home/x/.npm/_npx/1a2b/node_modules/claw' } }
  await assert.rejects(installCron(cached, root, request), error => isClawError(error, 'policy-refused'))
  const unbuilt = { ...world, host: { ...host, packageDir: '/nowhere' } }
  await assert.rejects(installCron(unbuilt, root, request), error => isClawError(error, 'not-found'))
  if (root.startsWith('/tmp/'))
    assert.match((await installCron(world, root, request)).warnings[0]!, /lies in a temporary folder/)
})

test('lines that go by the clock changes of one year are named, and an install in the next year brings others', async t => {
  const { world, root, user } = place(t)
  const text = files['agents/ann/jobs/list.md']!
  assert.equal((await installCron(world, root, request)).dated, null, 'two clocks that are never changed')
  const path = join(root, 'agents/ann/jobs/list.md')
  writeFileSync(path, text.replace('---\n', '---\ntz: Europe/Berlin\n').replace('30 8', '30 2'))
  const at = (year: number): World => ({
    ...world,
    clock: { ...world.clock, now: () => Date.UTC(year, 5, 1) },
  })
  const { dated } = await installCron(at(2026), root, request)
  assert.deepEqual(dated, { year: 2026, jobs: ['ann/list'] })
  const before = String(user.table())
  assert.equal((await installCron(at(2026), root, request)).changed, false)
  const again = await installCron(at(2027), root, request)
  assert.ok(again.changed)
  assert.notEqual(String(user.table()), before)
})

const misspelt = '---\nshedule: "0 1 * * *"\n---\nWrite.\n'

for (const format of ['crontab', 'systemd', 'launchd'] as const) {
  test(`a job file that cannot be used is a warning with its line, and the others are installed: ${format}`, async t => {
    const { world, root } = place(t)
    writeFileSync(join(root, 'agents/ann/jobs/bad.md'), misspelt)
    const { jobs, warnings, diff } = await installCron(world, root, { ...request, format })
    assert.equal(jobs, 1)
    assert.ok(diff.length > 1)
    assert.ok(
      warnings.some(line => /^agents\/ann\/jobs\/bad\.md:2:\d+: .*no line until/.test(line)),
      String(warnings),
    )
  })
}

test('where no job file can be used nothing is installed, and the first is named with its line', async t => {
  const { world, root, user } = place(t)
  for (const name of ['list', 'often', 'off'])
    writeFileSync(join(root, `agents/ann/jobs/${name}.md`), misspelt)
  await assert.rejects(installCron(world, root, request), error => {
    assert.ok(isClawError(error, 'config-invalid'))
    assert.match(`${error.message} ${error.hint}`, /list\.md:2.*2 more job files are broken/)
    return error.exitCode === 2
  })
  assert.equal(user.table(), undefined)
})

for (const format of ['systemd', 'launchd'] as const) {
  test(`${format} gets files of its own and keeps its hands off others`, async t => {
    const { world, root } = place(t)
    const of = { format, dryRun: false }
    const first = await installCron(world, root, of)
    assert.ok(first.next.length > 0 && first.diff.length > 1)
    assert.equal((await installCron(world, root, of)).changed, false)
    const path = first.diff[0]!.slice(2)
    const others = join(dirname(path), 'other.timer')
    writeFileSync(others, 'mine')
    writeFileSync(join(root, 'agents/ann/jobs/list.md'), files['agents/ann/jobs/off.md']!)
    const fewer = await installCron(world, root, of)
    assert.ok(fewer.diff.length > 0 && fewer.diff.every(line => line.startsWith('- ')), String(fewer.diff))
    await uninstallCron(world, root, of)
    assert.deepEqual(readdirSync(dirname(path)), ['other.timer'])
    writeFileSync(join(root, 'agents/ann/jobs/list.md'), files['agents/ann/jobs/list.md']!)
    writeFileSync(path, 'mine')
    await assert.rejects(installCron(world, root, of), error => isClawError(error, 'conflict'))
    assert.equal(readFileSync(path, 'utf8'), 'mine')
  })
}
