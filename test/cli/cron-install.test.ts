import assert from 'node:assert/strict'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { CronChange } from '../../src/flows/cron-install.ts'
import type { Rendered } from '../../src/flows/cron-render.ts'
import type { DoctorReport } from '../../src/flows/doctor.ts'
import { parseYaml } from '../../src/store/yaml.ts'
import { cronJobFaults } from '../core/render/cron-job-check.ts'
import { plistFaults } from '../core/render/plist-check.ts'
import { crontabUser } from './crontab-rig.ts'
import { claw, clawJson, main, workspace } from './rig.ts'

async function place(t: TestContext) {
  const root = await workspace(t)
  const user = crontabUser(dirname(root))
  return { root, user, call: { cwd: root, env: user.env } }
}

/** What doctor says of cron. */
async function saidOfCron(call: { cwd: string; env: Record<string, string | undefined> }): Promise<string[]> {
  const [{ findings }] = await clawJson<DoctorReport>(['doctor'], call)
  return findings
    .filter(finding => finding.check === 'cron' && !/no cron daemon|temporary/.test(finding.text))
    .map(({ level, text }) => `${level}: ${text}`)
}

test('install shows what it would do, does it, tells where the old table is, and uninstall takes it out', async t => {
  const { user, call } = await place(t)
  const before = Buffer.from(
    'MAILTO=me@x.example\r\n# r\u00E9sum\u00E9\n5 5 * * * mail%hi\n0 1 * * * keep',
    'latin1',
  )
  user.write(before)
  const dry = await claw(['cron', 'install', '--dry-run'], call)
  assert.match(
    dry.out,
    /^\+ \S+ \S+ \* \* \S+ .*main\.js -C \S+ run \S+ \S+ --slot due --quiet >\/dev\/null$/m,
  )
  assert.match(dry.out, /^would install \d+ jobs and the tick/m)
  assert.ok(user.table()!.equals(before))
  const done = await claw(['cron', 'install'], call)
  assert.equal(done.code, 0, done.err)
  assert.match(done.out, /^installed for crontab: \d+ jobs and the tick, in the clock of \S+/m)
  const backup = /^the table as it was: (.*)$/m.exec(done.out)![1]!
  assert.ok(readFileSync(backup).equals(before))
  const block = user.table()!.subarray(before.length).toString()
  assert.ok(block.includes(` ${main} -C `))
  assert.doesNotMatch(block, /%/)
  assert.match((await claw(['cron', 'install'], call)).out, /^up to date: /)
  const gone = await claw(['cron', 'uninstall'], call)
  assert.match(gone.out, /^nothing of this workspace fires by itself any more$/m)
  assert.ok(user.table()!.equals(before))
  assert.match((await claw(['cron', 'uninstall'], call)).out, /^nothing was installed/)
})

test('every way it ends is one JSON document with --json', async t => {
  const { user, call, root } = await place(t)
  const [change] = await clawJson<CronChange>(['cron', 'install'], call)
  assert.deepEqual(
    [change.format, change.root, change.changed, change.dryRun],
    ['crontab', root, true, false],
  )
  assert.ok(change.jobs > 0)
  user.mood('unreadable')
  const [failed, { code }] = await clawJson<{ error: { code: string } }>(['cron', 'install'], call)
  assert.deepEqual([failed.error.code, code], ['not-recorded', 75])
  const [wrong] = await clawJson<{ error: { hint: string } }>(
    ['cron', 'install', '--format', 'systemdd'],
    call,
  )
  assert.match(wrong.error.hint, /systemd/)
})

test('without a crontab program the next step is told', async t => {
  const { call } = await place(t)
  const { code, err } = await claw(['cron', 'install'], { ...call, env: { ...call.env, PATH: '/nowhere' } })
  assert.equal(code, 2)
  assert.match(err, /no crontab program\n.*--format systemd/)
})

test('render writes the files of each scheduler, and they keep its rules', async t => {
  const { call, root } = await place(t)
  const [launchd] = await clawJson<Rendered>(['cron', 'render', '--format', 'launchd', '--out', 'out'], call)
  assert.deepEqual(readdirSync(join(root, 'out')).sort(), launchd.files.map(({ name }) => name).sort())
  assert.deepEqual(
    launchd.files.flatMap(({ text }) => plistFaults(text)),
    [],
  )
  const { out, err } = await claw(['cron', 'render', '--format', 'kubernetes'], call)
  assert.match(err, /volume: shared/)
  const documents = out.split('---\n').map(async text => (await parseYaml('manifests', text)).value)
  const [claim, ...jobs] = (await Promise.all(documents)) as { kind: string }[]
  assert.equal(claim!.kind, 'PersistentVolumeClaim')
  assert.deepEqual(jobs.flatMap(cronJobFaults), [])
  assert.match(
    (await claw(['cron', 'render'], call)).out,
    /^# >>> claw [^]* tick --quiet >\/dev\/null\n# <<< claw \S+\n$/,
  )
  assert.match(
    (await claw(['cron', 'render', '--format', 'systemd'], call)).out,
    /^OnCalendar=\*-\*-\* 08:30:00 Asia\/Shanghai$/m,
  )
})

test('doctor has one note where nothing is installed, and none where all is well', async t => {
  const { call } = await place(t)
  assert.deepEqual(await saidOfCron(call), [
    'note: nothing is installed, so no job fires by itself; run: claw cron install',
  ])
  await claw(['cron', 'install'], call)
  assert.deepEqual(
    (await saidOfCron(call)).filter(text => !text.includes('exec.allow')),
    [],
  )
})

test('doctor says what would fail under cron, each with the next step', async t => {
  const { call, user, root } = await place(t)
  await claw(['cron', 'install'], call)
  const table = String(user.table())
  const said = async (env: Record<string, string> = {}) =>
    (await saidOfCron({ ...call, env: { ...call.env, ...env } })).join('\n')

  user.write(Buffer.from(table.replaceAll(/\S+ (?=\S*main\.js)/g, '/opt/gone/bin/node ')))
  assert.match(
    await said(),
    /error: what cron starts does not start .*\/opt\/gone\/bin\/node.*; run: claw cron install/,
  )
  assert.match(await said(), /warning: the block of claw in your crontab was edited by hand/)
  user.write(Buffer.from(table.replace(/^# <<< claw.*\n/m, '')))
  assert.match(await said(), /error: crontab line 1: the block of claw has no last mark; .*crontab -e/)
  user.write(Buffer.from(table))

  writeFileSync(join(root, 'agents/zoe/jobs/late.md'), '---\nschedule: "1 2 3 4 *"\n---\nMUST rest.\n')
  assert.match(
    await said(),
    /warning: the lines in your crontab are not those of the jobs \(1 to add, 0 to take out\)/,
  )

  const config = join(root, 'claw.yaml')
  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace(
      /^channels:/m,
      'channels:\n  far: {type: discord-webhook, url: "${FAR_URL}"}',
    ),
  )
  assert.match(
    await said({ FAR_URL: 'https://x.example' }),
    /warning: \$\{FAR_URL\} of claw\.yaml is set in this shell only/,
  )
  appendFileSync(join(root, '.env'), 'FAR_URL=https://x.example\n')
  assert.doesNotMatch(await said({ FAR_URL: 'https://x.example' }), /FAR_URL/)

  writeFileSync(
    config,
    readFileSync(config, 'utf8').replace(/^( *)allow: \[/m, '$1allow: [no-such-program, '),
  )
  assert.match(
    await said(),
    /warning: exec\.allow: no-such-program is not on cron's PATH \(\/usr\/bin:\/bin\)/,
  )
})
