import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { crontabExample } from '../../scripts/docs/crontab-example.ts'
import { slotsBetween } from '../../src/core/cron.ts'
import { jobKey } from '../../src/core/job.ts'
import { dayMs } from '../../src/core/millis.ts'
import { repoDir } from '../shared.ts'
import { templateJobs } from './template-files.ts'

const crontab = readFileSync(join(repoDir, 'crontab.example'), 'utf8')
/** Four weeks over the end of summer time in the north. */
const from = Date.UTC(2026, 9, 17)
const until = from + 28 * dayMs
const most = 100_000
const scheduled = (await templateJobs()).filter(job => job.enabled && job.schedule.kind === 'cron')

interface Row {
  expression: string
  command: string
  key: string
}

function rowsOf(text: string): Row[] {
  const block = /^# >>> claw .*\n# .*\n([^]*?)^# <<< claw /m.exec(text)?.[1] ?? ''
  return block
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [, expression = '', command = ''] = /^((?:\S+ ){4}\S+) (.*)$/.exec(line) ?? []
      const [, agent, job] = / run (\S+) (\S+) --slot due\b/.exec(command) ?? []
      return { expression, command, key: `${agent}/${job}` }
    })
}

/** Jobs that are due at a moment at which none of their lines wakes, or that have no line. */
function neverWoken(text: string): string[] {
  const rows = rowsOf(text)
  return scheduled
    .filter(job => {
      const woken = new Set(
        rows
          .filter(row => row.key === jobKey(job))
          .flatMap(({ expression }) => slotsBetween({ kind: 'cron', expression }, 'UTC', from, until, most)),
      )
      return slotsBetween(job.schedule, job.tz ?? 'UTC', from, until, most).some(slot => !woken.has(slot))
    })
    .map(jobKey)
}

test('crontab.example is made from the jobs of the template (npm run docs)', async () => {
  assert.equal(crontab, await crontabExample())
})

test('every enabled job is woken whenever it is due, and the tick each minute', () => {
  assert.deepEqual(neverWoken(crontab), [])
  assert.match(rowsOf(crontab).at(-1)!.command, / tick --quiet >\/dev\/null$/)
})

test('no line is for a job that is not scheduled', () => {
  const known = new Set(scheduled.map(jobKey))
  assert.deepEqual(
    rowsOf(crontab)
      .slice(0, -1)
      .filter(row => !known.has(row.key)),
    [],
  )
})

test('a line an hour off, or one that is gone, is noticed', () => {
  const digest = / run ainews morning-digest /
  const [line] = crontab.split('\n').filter(text => digest.test(text))
  const later = line!.replace(
    /^(\S+) (\S+)/,
    (_, minute: string, hour: string) => `${minute} ${Number(hour) + 1}`,
  )
  assert.deepEqual(neverWoken(crontab.replace(line!, later)), ['ainews/morning-digest'])
  assert.deepEqual(neverWoken(crontab.replace(`${line}\n`, '')), ['ainews/morning-digest'])
})

test('every line has full paths, no bare percent sign, and leaves stderr to the mail', () => {
  for (const { command } of rowsOf(crontab)) {
    assert.match(
      command,
      /^\/path\/to\/node \/path\/to\/dist\/main\.js -C \/path\/to\/workspace (run|tick) .*--quiet >\/dev\/null$/,
    )
    assert.doesNotMatch(command, /%/)
  }
})
