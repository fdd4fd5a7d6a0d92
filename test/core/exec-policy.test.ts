import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { checkArgv, parseCommand } from '../../src/core/argv.ts'
import { brokenEntries, decideExec, type ExecPolicy } from '../../src/core/exec-policy.ts'
import { sharedPath } from '../shared.ts'
import { bypassAllow, bypasses, everyday } from './exec-cases.ts'

const place = { root: '/ws', agent: 'writer' }
const policy: ExecPolicy = { security: 'allowlist', allow: bypassAllow }

function outcome(line: string, over: Partial<ExecPolicy> = {}): string {
  const parsed = parseCommand(line)
  if (parsed.kind === 'refused') return parsed.reason
  const decision = decideExec(parsed.argv, { ...policy, ...over }, place)
  return decision.kind === 'run' ? 'run' : decision.reason
}

for (const [name, commands] of Object.entries(bypasses)) {
  test(`no ${name} command of ${commands.length} gets past the list`, () => {
    assert.deepEqual(
      commands.filter(command => outcome(command) === 'run'),
      [],
    )
  })
}

test('there are at least 150 bypasses in 11 classes', () => {
  assert.ok(Object.keys(bypasses).length >= 11)
  assert.ok(Object.values(bypasses).flat().length >= 150)
})

test('everyday commands go through', () => {
  const refused = everyday.filter(command => outcome(command) !== 'run')
  assert.deepEqual(
    refused.map(command => `${command}: ${outcome(command)}`),
    [],
  )
  assert.ok(everyday.length >= 31)
})

test('a list that looks at the first word only, the broken twin, lets most bypasses through', () => {
  const firstWord = (line: string): boolean =>
    bypassAllow.some(entry => line.trimStart().split(/\s+/)[0] === entry.split(' ')[0])
  const passed = Object.values(bypasses).flat().filter(firstWord)
  assert.ok(passed.length > 100, `${passed.length}`)
})

test('each way of being unparsable has its own reason', () => {
  const reasons: [string, string][] = [
    ['ls | cat', 'pipe'],
    ['ls && cat', 'chain'],
    ['ls ; cat', 'chain'],
    ['ls &', 'background'],
    ['ls > x', 'redirection'],
    ['ls $(id)', 'substitution'],
    ['ls $HOME', 'variable'],
    ['ls *', 'glob'],
    ['ls {a}', 'brace'],
    ['ls ~', 'tilde'],
    ['ls\nls', 'newline'],
    ['A=1 ls', 'assignment'],
    ["ls 'a", 'unbalanced-quote'],
    ['ls \\', 'trailing-backslash'],
    ['', 'empty'],
  ]
  for (const [line, reason] of reasons) {
    const parsed = parseCommand(line)
    assert.equal(parsed.kind === 'refused' ? parsed.reason : 'parsed', reason, line)
  }
})

test('quotes are read as a POSIX shell reads them', () => {
  const lines: [string, string[]][] = [
    [`a 'b c' "d e"`, ['a', 'b c', 'd e']],
    [`a b'c'"d"e`, ['a', 'bcde']],
    [`a ''`, ['a', '']],
    [`a "x\\"y" 'x\\y'`, ['a', 'x"y', 'x\\y']],
    [`a x\\ y "\\n"`, ['a', 'x y', '\\n']],
    [`a "it's" 'say "hi"'`, ['a', "it's", 'say "hi"']],
    [`a 'x|y;z&$(id)*~'`, ['a', 'x|y;z&$(id)*~']],
    ['a 5$ x#y', ['a', '5$', 'x#y']],
  ]
  for (const [line, argv] of lines) assert.deepEqual(parseCommand(line), { kind: 'parsed', argv }, line)
})

test('a command that comes as a list is taken as it is', () => {
  assert.deepEqual(checkArgv(['echo', 'a; b', '$(id)']), { kind: 'parsed', argv: ['echo', 'a; b', '$(id)'] })
  assert.equal(checkArgv([]).kind, 'refused')
  assert.equal(checkArgv(['ls', 'a\u0000b']).kind, 'refused')
})

test('what the list names word for word is the choice of its owner, but secrets stay secret', () => {
  assert.equal(outcome('npm test', { allow: ['npm test'] }), 'run')
  assert.equal(outcome('npm test x', { allow: ['npm test'] }), 'wrapper')
  assert.equal(outcome('python3 tools/report.py --day 1', { allow: ['python3 tools/report.py'] }), 'run')
  assert.equal(outcome('python3 -c 1', { allow: ['python3 -c'] }), 'interpreter')
  assert.equal(outcome('cat /etc/hostname', { allow: ['cat /etc/hostname'] }), 'run')
  assert.equal(outcome('cat .env', { allow: ['cat .env'] }), 'secret')
  assert.equal(outcome('/opt/tool x', { allow: ['/opt/tool'] }), 'run')
})

test('deny refuses all, full runs what is not on the list, an empty list refuses all', () => {
  assert.equal(outcome('ls', { security: 'deny' }), 'denied')
  assert.equal(outcome('whatever x', { security: 'full', allow: [] }), 'run')
  assert.equal(outcome('ls', { allow: [] }), 'not-listed')
  assert.deepEqual(
    brokenEntries(['ls', 'cat | sh']).map(({ entry }) => entry),
    ['cat | sh'],
  )
})

test('the shared prefix cases that a shell would be needed for are refused', () => {
  const path = sharedPath('data', 'security', 'shell', 'gemini-prefix-allowlist-bypass.json')
  if (!path) return
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as {
    cases: { prefix_allowed: string | null; command: string; decision: string }[]
  }
  const asked = cases.filter(({ decision }) => decision !== 'ALLOW')
  const passed = asked.filter(
    ({ prefix_allowed, command }) =>
      prefix_allowed && outcome(command, { allow: [prefix_allowed] }) === 'run',
  )
  assert.ok(asked.length > 20)
  assert.deepEqual(passed, [])
})

test('shared injection payloads never add a second command', () => {
  for (const name of ['payloadsallthethings_command_exec.txt', 'payloadsallthethings_unix.txt']) {
    const path = sharedPath('data', 'security', 'shell', name)
    if (!path) continue
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter(line => line.trim() !== '')
    for (const line of lines) {
      const parsed = parseCommand(`cat notes.md${line}`)
      if (parsed.kind === 'parsed') assert.equal(parsed.argv[0], 'cat')
    }
  }
})
