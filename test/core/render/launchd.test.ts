import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { launchdByTick, launchdFiles, launchdOwn, launchdPrefix } from '../../../src/core/render/launchd.ts'
import type { RenderedFile } from '../../../src/core/render/plan.ts'
import { tempDir } from '../../temp-dir.ts'
import { oddPaths } from './odd-paths.ts'
import { planAt, plannedJob } from './plan-rig.ts'
import { plistFaults, readPlist } from './plist-check.ts'

const skip =
  spawnSync('xmllint', ['--version']).error === undefined ? false : 'xmllint (libxml2-utils) is not installed'

const [digest, tick] = launchdFiles(planAt('/srv/team'))

/** The lists of one job with these lines in the host's zone. */
function momentsOf(...hostLines: string[]): unknown {
  const [file] = launchdFiles(planAt('/srv/team', [plannedJob({ hostLines })]))
  return (readPlist(file!.text) as Record<string, unknown>)['StartCalendarInterval']
}

test('a property list names the program, its moments and its own PATH, all absolute', () => {
  assert.equal(digest!.name, `${launchdPrefix(planAt('/srv/team'))}ainews-morning-digest.plist`)
  assert.deepEqual(readPlist(digest!.text), {
    Label: digest!.name.replace('.plist', ''),
    ProgramArguments: [
      process.execPath,
      '/srv/team/dist/main.js',
      ...'-C /srv/team run ainews morning-digest --slot due --quiet'.split(' '),
    ],
    WorkingDirectory: '/srv/team',
    EnvironmentVariables: { PATH: '/opt/homebrew/bin:/usr/local/bin:/usr/bin:/bin' },
    StandardOutPath: '/dev/null',
    StandardErrorPath: '/srv/team/.claw/launchd.log',
    StartCalendarInterval: [{ Hour: 0, Minute: 30 }],
  })
  assert.equal((readPlist(tick!.text) as Record<string, unknown>)['StartInterval'], 60)
})

test('the moments are those of the lines, of either day field where cron takes either', () => {
  assert.deepEqual(momentsOf('30 0 * 3 *', '30 23 * 4 *'), [
    { Month: 3, Hour: 0, Minute: 30 },
    { Month: 4, Hour: 23, Minute: 30 },
  ])
  assert.deepEqual(momentsOf('0,30 * * * SAT-SUN'), [
    { Weekday: 0, Minute: 0 },
    { Weekday: 0, Minute: 30 },
    { Weekday: 6, Minute: 0 },
    { Weekday: 6, Minute: 30 },
  ])
  assert.deepEqual(momentsOf('0 6 13 * 5'), [
    { Day: 13, Hour: 6, Minute: 0 },
    { Weekday: 5, Hour: 6, Minute: 0 },
  ])
  assert.deepEqual(momentsOf('* * * * *'), [{}])
})

test('a job with very many moments is left to the tick, by name', () => {
  const plan = planAt('/srv/team', [plannedJob({ hostLines: ['*/5 9-17 * * 1-5'] })])
  assert.deepEqual(launchdByTick(plan), ['ainews/morning-digest'])
  assert.equal(launchdFiles(plan).length, 1)
})

test(
  'the lists of 200 odd paths are well-formed, name each path and hold only what launchd knows',
  { skip },
  t => {
    const files: RenderedFile[] = []
    for (const root of oddPaths(200)) {
      const rendered = launchdFiles(planAt(root))
      for (const { text } of rendered) {
        assert.deepEqual(plistFaults(text), [], text)
        assert.equal((readPlist(text) as Record<string, unknown>)['WorkingDirectory'], root)
        assert.ok(text.includes(launchdOwn(root)))
      }
      files.push(...rendered)
    }
    assert.equal(new Set(files.map(file => file.name)).size, 400)
    assert.equal(xmllint(tempDir(t), files), '')
  },
)

test(
  'the checks catch a list that is no XML, has a wrong type or a key that launchd passes over',
  { skip },
  t => {
    const bad = { name: 'bad.plist', text: digest!.text.replace('/srv/team', '/srv/a&b') }
    assert.match(xmllint(tempDir(t), [bad]), /bad\.plist:\d+: parser error/)
    const faults = (from: string, to: string): string[] => plistFaults(digest!.text.replace(from, to))
    assert.deepEqual(faults('<integer>30</integer>', '<string>30</string>'), [
      'StartCalendarInterval is wrong',
    ])
    assert.deepEqual(faults('<key>Minute</key>', '<key>Minutes</key>'), ['StartCalendarInterval is wrong'])
    assert.deepEqual(faults('<key>WorkingDirectory</key>', '<key>Directory</key>'), ['Directory is wrong'])
    assert.deepEqual(faults('<string>/srv/team</string>', '<string>~/team</string>').length, 0)
    assert.deepEqual(plistFaults(digest!.text.replace('Label', 'Name')), ['no Label', 'Name is wrong'])
  },
)

function xmllint(dir: string, files: readonly RenderedFile[]): string {
  for (const { name, text } of files) writeFileSync(join(dir, name), text)
  const paths = files.map(({ name }) => join(dir, name))
  return spawnSync('xmllint', ['--noout', '--nonet', ...paths], { encoding: 'utf8' }).stderr
}
