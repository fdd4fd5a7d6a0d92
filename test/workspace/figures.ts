/** One row of the team's plan. */
export interface Figure {
  key: string
  schedule: string
  tz: string
  enabled: boolean
  tier: string
  timeoutMs: number
}

/** What each job of the template must say, kept apart from the job files: job, schedule, zone, state, tier, seconds. */
const table = `
ainews/morning-digest | 30 8 * * * | Asia/Shanghai | on | routine | 240
ainews/paper-digest | 0 12 * * * | Asia/Shanghai | on | routine | 240
ainews/evening-report | 0 20 * * * | Asia/Shanghai | on | routine | 240
ainews/daily-reflection | 0 21 * * * | Asia/Shanghai | on | reflection | 180
ainews/github-trending | 40 21 * * * | Asia/Shanghai | on | routine | 180
ainews/ops-summary | 50 21 * * * | Asia/Shanghai | on | routine | 180
ainews/weekly-review | 0 10 * * 0 | Asia/Shanghai | on | reflection | 300
trading/us-market-night | 10 5 * * 2-6 | Asia/Shanghai | on | routine | 300
trading/morning-brief | 30 8 * * 1-5 | Asia/Shanghai | on | routine | 180
trading/warm-klines | 50 8 * * 1-5 | Asia/Shanghai | off | tool | 600
trading/call-auction | 24 9 * * 1-5 | Asia/Shanghai | on | routine | 120
trading/opening-bell | 30 9 * * 1-5 | Asia/Shanghai | on | routine | 180
trading/watchlist-am | */10 9-11 * * 1-5 | Asia/Shanghai | on | routine | 120
trading/watchlist-pm | */10 13-14 * * 1-5 | Asia/Shanghai | on | routine | 120
trading/commodities-day | 0 9-15 * * 1-5 | Asia/Shanghai | on | routine | 120
trading/commodities-night | 0 21-23 * * 1-5 | Asia/Shanghai | on | routine | 120
trading/finance-news-midday | 35 11 * * * | Asia/Shanghai | on | routine | 180
trading/macro-news-deep | 0 12 * * 1-5 | Asia/Shanghai | off | routine | 240
trading/closing-fund-flow | 45 14 * * 1-5 | Asia/Shanghai | on | routine | 120
trading/closing-auction | 50,55 14 * * 1-5 | Asia/Shanghai | on | routine | 120
trading/closing-summary | 5 15 * * 1-5 | Asia/Shanghai | on | routine | 300
trading/daily-archive | 30 15 * * 1-5 | Asia/Shanghai | on | tool | 240
trading/us-premarket | 15 9 * * 1-5 | America/New_York | on | routine | 180
trading/us-open | 30 9 * * 1-5 | America/New_York | off | routine | 120
trading/us-30min | 0,30 10-15 * * 1-5 | America/New_York | on | routine | 120
trading/daily-reflection | 30 23 * * * | Asia/Shanghai | on | reflection | 180
trading/weekly-review | 30 19 * * 0 | Asia/Shanghai | on | reflection | 300
trading/weekly-tech | 30 20 * * 0 | Asia/Shanghai | on | reflection | 240
macro/us-postmarket-review | 20 5 * * 2-6 | Asia/Shanghai | on | routine | 240
macro/daily-check | 50 7 * * * | Asia/Shanghai | on | routine | 240
macro/factor-pack | 10 8 * * 1-5 | Asia/Shanghai | off | routine | 180
macro/midday-update | 30 12 * * * | Asia/Shanghai | on | routine | 180
macro/finance-news-evening | 0 18 * * * | Asia/Shanghai | on | routine | 180
macro/us-premarket-outlook | 0 22 * * 1-5 | Asia/Shanghai | on | routine | 180
macro/daily-reflection | 30 23 * * * | Asia/Shanghai | on | reflection | 180
macro/econ-calendar | 30 17 * * 0 | Asia/Shanghai | off | routine | 180
macro/weekly-review | 30 18 * * 0 | Asia/Shanghai | on | reflection | 300
content/morning-trending | 0 9 * * * | Asia/Shanghai | on | routine | 240
content/research-x | 30 9 * * * | Asia/Shanghai | on | routine | 240
content/daily-inspiration | 0 10 * * * | Asia/Shanghai | off | routine | 180
content/ideas | 30 10 * * * | Asia/Shanghai | on | routine | 240
content/midday-trending | 0 13 * * * | Asia/Shanghai | on | routine | 180
content/write-drafts | 0 14 * * * | Asia/Shanghai | on | reflection | 300
content/evening-trending | 0 19 * * * | Asia/Shanghai | on | routine | 180
content/daily-reflection | 10 22 * * * | Asia/Shanghai | on | reflection | 180
content/weekly | 15 21 * * 0 | Asia/Shanghai | on | reflection | 300
butler/morning-greeting | 0 8 * * * | Asia/Shanghai | on | heartbeat | 120
butler/plan-my-day | 30 8 * * * | Asia/Shanghai | on | routine | 120
butler/water-reminder | 0 9,11,13,15,17 * * * | Asia/Shanghai | on | heartbeat | 60
butler/weekend-plan | 0 9 * * 6 | Asia/Shanghai | on | routine | 120
butler/health-check | 0 20 * * * | Asia/Shanghai | on | routine | 120
butler/goodnight | 0 22 * * * | Asia/Shanghai | on | routine | 120
butler/daily-reflection | 15 22 * * * | Asia/Shanghai | on | reflection | 180
zoe/inspection | 0 10,14,22 * * * | Asia/Shanghai | on | reflection | 240
zoe/daily-backup | 0 3 * * * | Asia/Shanghai | on | tool | 600
zoe/team-reflection | 45 23 * * * | Asia/Shanghai | on | reflection | 300
zoe/memory-maintenance | 30 4 * * 0 | Asia/Shanghai | on | tool | 300
zoe/weekly-tech-radar | 0 11 * * 0 | Asia/Shanghai | on | reflection | 300
zoe/followup-enforcer | 5 9 * * * | Asia/Shanghai | off | reflection | 180
`

export const figures: Figure[] = table
  .trim()
  .split('\n')
  .map(row => {
    const [key = '', schedule = '', tz = '', state, tier = '', seconds] = row.split(' | ')
    return { key, schedule, tz, enabled: state === 'on', tier, timeoutMs: Number(seconds) * 1000 }
  })
