import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSpecProblems } from '../../src/core/checks/run-checks.ts'
import { checksOf, type Job, jobKey } from '../../src/core/job.ts'
import { unknownTool } from '../../src/flows/run-job/tools-of-run.ts'
import { teamCollectors } from '../../src/kits/team/collectors.ts'
import { ainewsCollectors } from '../../src/kits/ainews/collectors.ts'
import { simWorld } from '../../src/sim/sim-world.ts'
import { contextOf } from '../kits/ainews/rig.ts'
import { type Figure, figures } from './figures.ts'
import { missingLinks } from './chains.ts'
import { templateFiles, templateJobs, templateTree } from './template-files.ts'

const jobs = await templateJobs()
const collectors = [...ainewsCollectors, ...teamCollectors]

function jobNamed(key: string): Job {
  const found = jobs.find(job => jobKey(job) === key)
  assert.ok(found, `there is no job ${key}`)
  return found
}

function figureOf(job: Job): Figure {
  const { schedule, tz = '', enabled, tier, timeout } = job
  const expression = schedule.kind === 'cron' ? schedule.expression : schedule.kind
  return { key: jobKey(job), schedule: expression, tz, enabled, tier, timeoutMs: timeout }
}

const byKey = (a: Figure, b: Figure): number => (a.key < b.key ? -1 : 1)

test('the 59 jobs are those of the plan, each with its schedule, zone, tier and limit, 52 of them on', () => {
  assert.deepEqual(jobs.map(figureOf).sort(byKey), figures.toSorted(byKey))
  assert.equal(jobs.length, 59)
  assert.equal(jobs.filter(({ enabled }) => enabled).length, 52)
})

test('a job that fires at another minute is noticed', () => {
  const moved = { ...figureOf(jobs[0]!), schedule: '31 8 * * *' }
  assert.throws(() => assert.deepEqual([moved], [figureOf(jobs[0]!)]))
})

test('every tool, collector and check that a job names exists and takes what it is given', async () => {
  const world = simWorld({ now: '2026-11-28T00:40:00Z', files: templateTree() })
  const names = { date: '2026-11-28', week: '2026-W48', month: '2026-11', agent: 'zoe', job: 'test' }
  for (const job of jobs) {
    const key = jobKey(job)
    assert.equal(unknownTool(job.tools), undefined, key)
    for (const spec of checksOf(job)) assert.deepEqual(checkSpecProblems(spec), [], key)
    const steps = job.when?.tool ? [...job.gather, { tool: job.when.tool, with: job.when.with }] : job.gather
    for (const { tool, with: options } of steps) {
      const collector = collectors.find(({ name }) => name === tool)
      assert.ok(collector, `${key}: no collector ${tool}`)
      await assert.doesNotReject(
        collector.collect(options, contextOf(world, { timeZone: 'Asia/Shanghai', names })),
        key,
      )
    }
  }
})

test('each file that a job needs or gathers is made by a job that is on, promised by one, or shipped', () => {
  assert.deepEqual(missingLinks(jobs, templateFiles()), [])
})

test('a chain with a link taken out, or switched off, is noticed', () => {
  const without = jobs.filter(job => jobKey(job) !== 'content/research-x')
  assert.ok(missingLinks(without, templateFiles()).some(line => line.startsWith('content/ideas: ')))
  const off = jobs.map(job => (jobKey(job) === 'ainews/weekly-review' ? { ...job, enabled: false } : job))
  assert.ok(missingLinks(off, templateFiles()).some(line => line.startsWith('zoe/weekly-tech-radar: ')))
})

test('the chains of the team wait for their upstream file', () => {
  const chains: [job: string, waitsFor: RegExp][] = [
    ['macro/us-postmarket-review', /us/],
    ['content/research-x', /morning-digest/],
    ['content/ideas', /research/],
    ['content/write-drafts', /ideas/],
    ['trading/weekly-review', /weekly/],
    ['trading/weekly-tech', /market/],
    ['zoe/weekly-tech-radar', /weekly/],
    ['zoe/team-reflection', /reflection/],
  ]
  for (const [key, file] of chains) {
    const waited = jobNamed(key).needs.filter(need => need.else === 'wait')
    assert.ok(
      waited.some(need => file.test(need.file)),
      key,
    )
    for (const { maxAge } of waited) assert.ok(maxAge !== undefined, `${key}: a file of any age would do`)
  }
})

test('what code can check of the discipline is checked where it matters', () => {
  const used = new Set(jobs.flatMap(job => checksOf(job).flatMap(Object.keys)))
  const discipline = [
    'stopLoss',
    'confidence',
    'factorSources',
    'factsAndJudgments',
    'counterArgument',
    'linksFromEvidence',
    'everyItemLinks',
    'maxShare',
    'maxLength',
  ]
  for (const check of discipline) assert.ok(used.has(check), check)
  for (const key of ['content/research-x', 'content/ideas']) {
    const limit = { of: 'category', label: 'ai', percent: 40 }
    assert.deepEqual(jobNamed(key).produces[0]?.check['maxShare'], limit, key)
  }
  const reminder = checksOf(jobNamed('butler/water-reminder')).map(check => check['maxLength'])
  assert.ok(
    reminder.some(length => typeof length === 'number' && length < 50),
    'a reminder has under 50 characters',
  )
})

test('butler speaks between 07:00 and 23:00 only', () => {
  const speaking = jobs.filter(
    ({ agent, deliver }) => agent === 'butler' && deliver && deliver.mode !== 'none',
  )
  assert.ok(speaking.length >= 6)
  for (const job of speaking) assert.deepEqual(job.active, { from: 7 * 60, to: 23 * 60 }, jobKey(job))
})

test('a job of a market is bound to its exchange', () => {
  for (const key of ['trading/watchlist-am', 'trading/watchlist-pm', 'trading/opening-bell'])
    assert.equal(jobNamed(key).market?.exchange, 'XSHG', key)
  for (const key of ['trading/us-premarket', 'trading/us-30min'])
    assert.equal(jobNamed(key).market?.exchange, 'XNYS', key)
})

test('inspection speaks on an alert, and at 22:00 in any case', () => {
  assert.deepEqual(jobNamed('zoe/inspection').deliver, { to: 'general', mode: 'on-alert', always: ['22:00'] })
})
