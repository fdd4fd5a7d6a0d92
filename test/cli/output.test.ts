import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { commands } from '../../src/cli/table.ts'
import { claw, clawJson, digest, main, said, treeOf, workspace } from './rig.ts'

/** One good call of each command, in an order that works. */
const calls: Readonly<Record<string, readonly string[]>> = {
  init: ['init', '../another'],
  run: [...digest],
  status: ['status'],
  runs: ['runs'],
  'outbox list': ['outbox', 'list', '--all'],
  'outbox retry': ['outbox', 'retry'],
  'outbox drop': ['outbox', 'drop', '202611-00'],
  'context list': ['context', 'list', 'ainews', 'morning-digest'],
  'context detail': ['context', 'detail', 'zoe'],
  'models list': ['models', 'list'],
  'models test': ['models', 'test'],
  tick: ['tick', '--dry-run'],
  'cron list': ['cron', 'list'],
  'cron next': ['cron', 'next'],
  'cron lint': ['cron', 'lint'],
  'cron history': ['cron', 'history'],
  'cron pause': ['cron', 'pause', 'ainews/morning-digest'],
  'cron resume': ['cron', 'resume', 'ainews/morning-digest'],
  'incidents list': ['incidents', 'list'],
  'incidents ack': ['incidents', 'ack', '20261128-003001-3f9a1c'],
  simulate: ['simulate', '--days', '1', '--from', '2026-11-29'],
  'cron install': ['cron', 'install', '--format', 'systemd', '--dry-run'],
  'cron uninstall': ['cron', 'uninstall', '--format', 'systemd', '--dry-run'],
  'cron render': ['cron', 'render'],
  doctor: ['doctor'],
  completion: ['completion', 'bash'],
}

/** What these say is only in words: the thing named is not there. */
const refused = ['outbox drop', 'incidents ack']

const reads: readonly (readonly string[])[] = [
  ['status'],
  ['runs'],
  ['runs', '--state', 'ok'],
  ['outbox', 'list', '--all'],
  ['context', 'list', 'ainews', 'morning-digest'],
  ['context', 'detail', 'zoe'],
  ['models', 'list'],
  ['models', 'test'],
  ['doctor'],
  [...digest, '--dry-run'],
  ['run', 'zoe', '-m', 'hi', '--dry-run'],
  ['completion', 'zsh'],
]

test('every command of the table has a call here', () => {
  assert.deepEqual(Object.keys(calls).sort(), commands.map(({ name }) => name).sort())
})

test('with --json stdout is one document, whatever the command, and never coloured', async t => {
  const root = await workspace(t)
  for (const [name, argv] of Object.entries(calls)) {
    if (refused.includes(name)) {
      const [problem, { code }] = await clawJson(argv, { cwd: root })
      assert.equal(code, 2, name)
      assert.deepEqual(Object.keys((problem as { error: object }).error), [
        'code',
        'message',
        'hint',
        'exitCode',
      ])
      continue
    }
    const [, { code, out, err }] = await clawJson(argv, { cwd: root, env: { FORCE_COLOR: '1' } })
    assert.equal(code, 0, `${name}: ${err}`)
    assert.ok(!(out + err).includes('\u001B'), `${name} is not coloured`)
    assert.match(out, /[\]}]\n$/)
  }
})

test('commands that read leave every file as it is, in a new workspace and in a used one', async t => {
  const root = await workspace(t)
  for (const prepare of [undefined, digest]) {
    if (prepare) await claw(prepare, { cwd: root })
    const before = treeOf(root, { withIndex: true })
    for (const argv of reads) {
      const { code, err } = await claw(argv, { cwd: root })
      assert.equal(code, 0, `${argv.join(' ')}: ${err}`)
      assert.deepEqual(treeOf(root, { withIndex: true }), before, argv.join(' '))
    }
  }
  const before = treeOf(root)
  await claw(digest, { cwd: root })
  assert.notDeepEqual(treeOf(root), before, 'a run is noticed')
})

test('--quiet leaves stderr to what a person must see', async t => {
  const root = await workspace(t)
  const { code, out, err } = await claw([...digest, '--quiet'], { cwd: root })
  assert.deepEqual([code, err], [0, ''])
  assert.match(out, /^stored in /m)
})

test('tables are not cut and not coloured where there is no terminal', async t => {
  const root = await workspace(t)
  await claw(['run', 'zoe', '-m', 'hi'], { cwd: root })
  const { out } = await claw(['runs'], { cwd: root, env: { COLUMNS: '20' } })
  assert.match(
    out,
    /no model is configured, and nothing was gathered that could be quoted; name one in claw\.yaml$/m,
  )
  assert.ok(!out.includes('\u001B') && !out.includes('…'))
})

test('on a terminal there are colours and the width is kept; NO_COLOR and TERM=dumb take the colours away', async t => {
  if (spawnSync('script', ['--version']).status !== 0) return t.skip('no `script` to make a terminal with')
  const root = await workspace(t)
  await claw(['run', 'zoe', '-m', 'hi'], { cwd: root })
  const onTerminal = async (env: NodeJS.ProcessEnv): Promise<string> => {
    const command = `stty cols 60 2>/dev/null; exec '${process.execPath}' '${main}' runs`
    const { out } = await said('script', ['-qec', command, '/dev/null'], { cwd: root, env, input: '' })
    return out.replaceAll('\r', '')
  }
  const coloured = await onTerminal({ TERM: 'xterm' })
  assert.ok(coloured.includes('\u001B[1m'), JSON.stringify(coloured))
  for (const env of [{ TERM: 'xterm', NO_COLOR: '1' }, { TERM: 'dumb' }]) {
    const plain = await onTerminal(env)
    assert.ok(!plain.includes('\u001B['), JSON.stringify(plain))
    assert.deepEqual(
      plain.split('\n').filter(line => [...line].length > 60),
      [],
    )
  }
})

test('a reader that goes away early is no error', async t => {
  const root = await workspace(t)
  for (const argv of [
    'context detail ainews morning-digest',
    'run ainews morning-digest --dry-run',
    'doctor',
    '--help',
  ]) {
    const pipe = `set -o pipefail; '${process.execPath}' '${main}' ${argv} 2>err.txt | head -1; rc=$?; cat err.txt; exit $rc`
    const { code, out } = await said('bash', ['-c', pipe], { cwd: root })
    assert.equal(code, 0, out)
    assert.doesNotMatch(out, /EPIPE|bug in claw/)
  }
})

test('a run whose reader has gone is still recorded and delivered', async t => {
  const root = await workspace(t)
  await said('bash', ['-c', `'${process.execPath}' '${main}' ${digest.join(' ')} 2>&1 | true`], { cwd: root })
  await assertDelivered(root)
})

test('a slow reader of a pipe gets all of a long output', async t => {
  const root = await workspace(t)
  writeFileSync(join(root, 'agents/zoe/AGENTS.md'), `${'word '.repeat(15_000)}\n`)
  const argv = 'context detail zoe --json'
  const read = (reader: string) =>
    said('bash', ['-c', `'${process.execPath}' '${main}' ${argv} | ${reader}`], { cwd: root })
  const config = join(root, 'claw.yaml')
  writeFileSync(
    config,
    `${readFileSync(config, 'utf8')}\nbootstrap: {perFileChars: 200000, totalChars: 400000}\n`,
  )
  const { out, err } = await read('(sleep 0.5; cat)')
  assert.ok(out.length > 70_000, `${out.length} ${err}`)
  JSON.parse(out)
})

const hasFull = existsSync('/dev/full')

test(
  'output that cannot be written ends no run, and is no success',
  { skip: !hasFull && 'no /dev/full here' },
  async t => {
    const root = await workspace(t)
    const withOutput = (argv: readonly string[], to: string) =>
      said('bash', ['-c', `'${process.execPath}' '${main}' ${argv.join(' ')} ${to}`], { cwd: root })
    assert.equal((await withOutput(digest, '>/dev/full 2>/dev/full')).code, 1)
    await assertDelivered(root)
    const status = await withOutput(['status'], '>/dev/full')
    assert.equal(status.code, 1)
    assert.match(status.err, /the output could not be written \(ENOSPC\)/)
    assert.equal((await withOutput(['status'], '2>/dev/full')).code, 0)
  },
)

async function assertDelivered(root: string): Promise<void> {
  const [runs] = await clawJson<{ state: string; deliveries: string[] }[]>(['runs'], { cwd: root })
  assert.deepEqual(
    runs.map(({ state }) => state),
    ['ok'],
  )
  const [outbox] = await clawJson<{ state: string }[]>(['outbox', 'list', '--all'], { cwd: root })
  assert.deepEqual(
    outbox.map(({ state }) => state),
    ['delivered'],
  )
}
