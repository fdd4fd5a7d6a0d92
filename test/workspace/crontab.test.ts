import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nextSlots } from '../../src/core/cron.ts'
import { jobKey } from '../../src/core/job.ts'
import { repoDir } from '../shared.ts'
import { templateJobs } from './template-files.ts'

const crontab = readFileSync(join(repoDir, 'crontab.example'), 'utf8')
/** Two weeks, from a Saturday. */
const from = Date.UTC(2026, 7, 1)
const count = 14
const jobs = await templateJobs()

interface Row {
  expression: string
  command: string
  key: string
}

function rowsOf(text: string): Row[] {
  const block = /^# >>> claw\n([^]*?)^# <<< claw$/m.exec(text)?.[1] ?? ''
  return block
    .split('\n')
    .filter(line => line !== '')
    .map(line => {
      const [, expression = '', command = ''] = /^((?:\S+ ){4}\S+) (.*)$/.exec(line) ?? []
      const [, agent, job] = / run (\S+) (\S+) --slot auto\b/.exec(command) ?? []
      return { expression, command, key: `${agent}/${job}` }
    })
}

/** Jobs whose line wakes at other moments than their schedule says, or that have none or several. */
function mismatches(text: string): string[] {
  const rows = rowsOf(text)
  return jobs
    .filter(job => job.enabled && job.schedule.kind === 'cron')
    .filter(job => {
      const own = rows.filter(row => row.key === jobKey(job))
      if (own.length !== 1) return true
      const woken = nextSlots({ kind: 'cron', expression: own[0]!.expression }, 'UTC', from, count)
      return String(woken) !== String(nextSlots(job.schedule, job.tz ?? 'UTC', from, count))
    })
    .map(jobKey)
}

test('each enabled job has one line in crontab.example, at its own times in UTC', () => {
  assert.deepEqual(mismatches(crontab), [])
  assert.equal(rowsOf(crontab).length, jobs.length)
})

test('a line an hour off, or one that is gone, is noticed', () => {
  assert.deepEqual(mismatches(crontab.replace('30 0 * * *', '30 1 * * *')), ['ainews/morning-digest'])
  assert.deepEqual(mismatches(crontab.replace(/^.*macro judgment-review.*\n/m, '')), [
    'macro/judgment-review',
  ])
})

test('every line has full paths and no percent sign', () => {
  for (const { command } of rowsOf(crontab)) {
    assert.match(command, /^\/path\/to\/node \/path\/to\/dist\/main\.js -C \/path\/to\/workspace run /)
    assert.doesNotMatch(command, /%/)
  }
})
