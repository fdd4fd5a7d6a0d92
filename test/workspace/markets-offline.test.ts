import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jobKey } from '../../src/core/job.ts'
import { simWorld } from '../../src/sim/sim-world.ts'
import { runAt } from './offline-rig.ts'
import { templateJobs, templateTree } from './template-files.ts'

/** Without a key and without a network: a Friday and the Sunday after it, in the order of the clock. */
const days: [at: string, job: string][] = [
  ['2026-11-26T23:50:30Z', 'macro/daily-check'],
  ['2026-11-27T00:30:30Z', 'trading/morning-brief'],
  ['2026-11-27T01:24:30Z', 'trading/call-auction'],
  ['2026-11-27T01:30:30Z', 'trading/opening-bell'],
  ['2026-11-27T02:00:30Z', 'trading/watchlist-am'],
  ['2026-11-27T02:00:40Z', 'trading/commodities-day'],
  ['2026-11-27T03:35:30Z', 'trading/finance-news-midday'],
  ['2026-11-27T04:30:30Z', 'macro/midday-update'],
  ['2026-11-27T06:45:30Z', 'trading/closing-fund-flow'],
  ['2026-11-27T06:50:30Z', 'trading/closing-auction'],
  ['2026-11-27T07:05:30Z', 'trading/closing-summary'],
  ['2026-11-27T07:30:30Z', 'trading/daily-archive'],
  ['2026-11-27T10:00:30Z', 'macro/finance-news-evening'],
  ['2026-11-27T14:00:30Z', 'macro/us-premarket-outlook'],
  ['2026-11-27T14:15:30Z', 'trading/us-premarket'],
  ['2026-11-27T15:30:30Z', 'macro/daily-reflection'],
  ['2026-11-27T15:30:40Z', 'trading/daily-reflection'],
  ['2026-11-27T16:00:30Z', 'trading/us-30min'],
  ['2026-11-27T21:10:30Z', 'trading/us-market-night'],
  ['2026-11-27T21:20:30Z', 'macro/us-postmarket-review'],
  ['2026-11-29T10:30:30Z', 'macro/weekly-review'],
  ['2026-11-29T11:30:30Z', 'trading/weekly-review'],
  ['2026-11-29T12:30:30Z', 'trading/weekly-tech'],
]

test('the markets run without a key: each job keeps its discipline, says what it lacks and invents nothing', async () => {
  const world = simWorld({ now: '2026-11-26T23:00:00Z', files: templateTree() })
  const jobs = await templateJobs()
  for (const [at, key] of days) {
    const { lacks } = jobs.find(one => jobKey(one) === key)!
    const { state, reason, text } = await runAt(world, at, key)
    assert.deepEqual([key, state, reason], [key, 'ok', ''])
    for (const lack of lacks)
      assert.ok(text.includes(lack.split(' (')[0]!), `${key} says what it lacks: ${lack}`)
  }
})

test('a chain waits for its upstream file: no night report, no review', async () => {
  const world = simWorld({ now: '2026-11-27T21:00:00Z', files: templateTree() })
  const early = await runAt(world, '2026-11-27T21:20:30Z', 'macro/us-postmarket-review')
  assert.equal(early.state, 'skipped')
  assert.match(early.reason, /^waits for a file: .*us-night-report\.md is not there/)
})

test('outside the session a scan is skipped with that reason', async () => {
  const world = simWorld({ now: '2026-11-27T03:00:00Z', files: templateTree() })
  const lunch = await runAt(world, '2026-11-27T03:40:30Z', 'trading/watchlist-am')
  assert.equal(lunch.state, 'skipped')
  assert.match(lunch.reason, /XSHG/)
})
