import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }
import { commands } from '../../src/cli/table.ts'
import { claw, workspace } from './rig.ts'

function tooWide(text: string): string[] {
  return text.split('\n').filter(line => [...line].length > 80)
}

test('the help of every command has its examples and fits 80 columns', async () => {
  for (const { name, examples } of commands) {
    const { code, out, err } = await claw([...name.split(' '), '--help'])
    assert.deepEqual([code, err], [0, ''], name)
    assert.match(out, new RegExp(`^Usage: claw ${name}`), name)
    for (const example of examples) assert.ok(out.includes(`  ${example}\n`), `${name}: ${example}`)
    assert.deepEqual(tooWide(out), [], name)
  }
})

test('the first help names every command, the exit codes, and fits 80 columns', async () => {
  const { code, out } = await claw(['--help'])
  assert.equal(code, 0)
  assert.deepEqual(tooWide(out), [])
  for (const { name } of commands) assert.match(out, new RegExp(`^  ${name.split(' ')[0]}\\b`, 'm'))
  assert.match(out, /Exit status: 0 ok/)
})

test('without a command the help is shown and the exit code says that nothing was done', async () => {
  const { code, out, err } = await claw([])
  assert.equal(code, 2)
  assert.match(out + err, /^Usage: claw/)
})

test('--version is the version of the package', async () => {
  const { code, out } = await claw(['--version'])
  assert.deepEqual([code, out], [0, `${packageJson.version}\n`])
})

for (const [shell, flags] of [
  ['bash', ['-n']],
  ['zsh', ['-n']],
  ['fish', ['--no-execute']],
] as const) {
  test(`the completion script for ${shell} is valid`, async t => {
    const { code, out } = await claw(['completion', shell])
    assert.equal(code, 0)
    for (const { name } of commands) assert.ok(out.includes(name.split(' ')[0]!))
    if (spawnSync(shell, ['--version']).error) return t.skip(`no ${shell} on this machine`)
    const folder = mkdtempSync(join(tmpdir(), 'claw-completion-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'script'), out)
    const checked = spawnSync(shell, [...flags, join(folder, 'script')], { encoding: 'utf8' })
    assert.deepEqual([checked.status, checked.stderr], [0, ''])
  })
}

/** What bash offers for the last of these words. */
function completer(script: string, { cwd = tmpdir(), env = {} }: { cwd?: string; env?: object } = {}) {
  return (...words: string[]): string[] => {
    const line = words.map(word => `'${word}'`).join(' ')
    const asked = `${script}\nCOMP_WORDS=(claw ${line}); COMP_CWORD=${words.length}; _claw; printf '%s\\n' "\${COMPREPLY[@]}"`
    const options = {
      encoding: 'utf8',
      cwd,
      env: { PATH: process.env['PATH'], HOME: tmpdir(), ...env },
    } as const
    return spawnSync('bash', ['-c', asked], options).stdout.trim().split('\n')
  }
}

test('the bash script completes commands, verbs and options', async () => {
  const { out } = await claw(['completion', 'bash'])
  const complete = completer(out)
  assert.deepEqual(complete('sta'), ['status'])
  assert.deepEqual(complete('outbox', ''), [
    'list',
    'retry',
    'drop',
    '--all',
    '-C',
    '--json',
    '--now',
    '--quiet',
    '--help',
    '--version',
  ])
  assert.deepEqual(complete('run', 'ainews', '--dr'), ['--dry-run'])
})

test('the bash script lists agents and jobs of the workspace, wherever that is named', async t => {
  const root = await workspace(t)
  const { out } = await claw(['completion', 'bash'])
  const inside = completer(out, { cwd: join(root, 'agents', 'zoe') })
  assert.deepEqual(inside('run', 'ai'), ['ainews'])
  assert.deepEqual(inside('run', 'ainews', 'mor'), ['morning-digest'])
  assert.ok(inside('cron', 'pause', '').includes('zoe/inspection'))
  assert.deepEqual(inside('cron', 'history', 'ainews/mor'), ['ainews/morning-digest'])
  assert.deepEqual(inside('context', 'list', 'mac'), ['macro'])
  assert.deepEqual(inside('runs', '--agent', 'tra'), ['trading'])
  assert.deepEqual(inside('runs', '--job', 'ainews/mor'), ['ainews/morning-digest'])
  const outside = completer(out, { cwd: '/' })
  assert.deepEqual(outside('run', 'ai'), [''])
  assert.deepEqual(outside('-C', root, 'run', 'ai'), ['ainews'])
  assert.deepEqual(completer(out, { cwd: '/', env: { CLAW_WORKSPACE: root } })('run', 'ai'), ['ainews'])
})
