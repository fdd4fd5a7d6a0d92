import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { cronCommand, shellCommand, shellWord } from '../../../src/core/crontab-command.ts'
import { crontabLines } from '../../../src/core/render/crontab.ts'
import { isClawError } from '../../../src/core/claw-error.ts'
import { oddPaths } from './odd-paths.ts'
import { planAt, plannedJob } from './plan-rig.ts'

/** What Vixie cron hands to the shell: `\%` is a percent sign, a bare one ends the command, other backslashes stay. */
function asCronReads(line: string): string {
  let command = ''
  const text = line.replace(/^(\S+ ){5}/, '')
  for (let at = 0; at < text.length; at++) {
    const pair = text.slice(at, at + 2)
    if (text.charAt(at) === '%') return command
    if (text.charAt(at) !== '\\') command += text.charAt(at)
    else {
      command += pair === String.raw`\%` ? '%' : pair
      at += 1
    }
  }
  return command
}

/** The words of each command as a real shell splits them. */
function wordsOf(commands: readonly string[]): string[][] {
  const script = commands.map(command => `printf '%s\\0' ${command.replace(/ >\/dev\/null$/, '')}; echo`)
  const printed = execFileSync('/bin/sh', ['-c', script.join('\n')], { encoding: 'utf8', cwd: '/proc' })
  return printed
    .trimEnd()
    .split('\n')
    .map(line => line.split('\0').slice(0, -1))
}

test('200 odd paths come through cron and the shell as they are', () => {
  const roots = oddPaths(200)
  const lines = roots.flatMap(root => crontabLines(planAt(root)))
  const words = wordsOf(lines.map(asCronReads))
  assert.equal(words.length, 400)
  for (const [index, found] of words.entries()) {
    const root = roots[index >> 1]!
    const { program } = planAt(root)
    assert.deepEqual(found.slice(0, 4), [program.nodePath, program.scriptPath, '-C', root], lines[index])
    assert.equal(found[4], index % 2 === 0 ? 'run' : 'tick')
    assert.equal(shellCommand(lines[index]!), asCronReads(lines[index]!))
  }
})

test('the quotes of a shell alone do not bring them through cron', () => {
  const lost = oddPaths(200).filter(root => asCronReads(`* * * * * ${shellWord(root)}`) !== shellWord(root))
  assert.ok(lost.length > 50, `${lost.length}`)
})

test('a job has a line for each wake-up, the tick has the last one, and only stderr is left to mail', () => {
  const plan = planAt('/srv/team', [plannedJob({ hostLines: ['30 0 * 1-3 *', '30 23 * 4-12 *'] })])
  const command = `${process.execPath} /srv/team/dist/main.js -C /srv/team`
  assert.deepEqual(crontabLines(plan), [
    `30 0 * 1-3 * ${command} run ainews morning-digest --slot due --quiet >/dev/null`,
    `30 23 * 4-12 * ${command} run ainews morning-digest --slot due --quiet >/dev/null`,
    `* * * * * ${command} tick --quiet >/dev/null`,
  ])
})

test('what no line of a crontab can hold is refused', () => {
  for (const word of ['/a\nb', '/a\rb', '/a\u0000b', `/${'a'.repeat(1000)}`]) {
    assert.throws(
      () => cronCommand([word]),
      error => isClawError(error, 'usage'),
    )
  }
  assert.ok(cronCommand([`/${'é'.repeat(490)}`]))
  assert.throws(() => cronCommand([`/${'é'.repeat(500)}`]))
})
