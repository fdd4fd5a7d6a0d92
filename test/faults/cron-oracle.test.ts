import assert from 'node:assert/strict'
import test from 'node:test'
import { Cron } from 'croner'
import { nextSlots } from '../../src/core/cron.ts'
import { hostLines } from '../../src/core/host-lines.ts'
import { dayMs, hourMs, type Millis } from '../../src/core/millis.ts'
import { dice, randomExpression } from '../core/cron-rig.ts'
import {
  askOracle,
  differences,
  explain,
  type Explanation,
  iterations,
  oracleReason,
  type Question,
} from './calendar-oracle.ts'
import { cronDay, crontabReason, daemonReason, isCrontab, unexplained } from './cron-daemon.ts'

const isFull = process.env['SWEEP'] === 'all'
const expressionCount = isFull ? 5000 : 204
const batch = 17

const zones = [
  'Asia/Shanghai',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Africa/Cairo',
]

/** Days before changes of clocks in these zones; half of the questions start there. */
const nearChanges = [
  '2026-03-07',
  '2026-03-28',
  '2026-04-04',
  '2026-04-23',
  '2026-10-03',
  '2026-10-24',
  '2026-10-29',
  '2026-10-31',
]

type Compute = (question: Question, after: Millis) => Millis[]

const ours: Compute = ({ expression, timeZone }, after) =>
  nextSlots({ kind: 'cron', expression }, timeZone, after, iterations)

/** Every expression in each of the zones. */
function compare(
  compute: Compute,
  count: number,
  seed: number,
): Record<Explanation | 'questions', number> & { first: string } {
  const random = dice(seed)
  const tally = {
    questions: 0,
    'made up right after the gap': 0,
    'in a repeated hour': 0,
    'no explanation': 0,
    first: '',
  }
  for (let done = 0; done < count; done += batch) {
    const expressions = Array.from({ length: batch }, () => randomExpression(random))
    const start =
      random.below(2) === 0
        ? Date.parse(random.pick(nearChanges))
        : Date.UTC(2026, 0, 1) + random.below(365) * dayMs
    const after = start + random.below(24) * hourMs
    const questions = expressions.flatMap(expression => zones.map(timeZone => ({ expression, timeZone })))
    const answers = askOracle(questions, after)
    for (const [index, question] of questions.entries()) {
      tally.questions++
      for (const { at, isOurs } of differences(compute(question, after), answers[index]!)) {
        const why = explain(question, at, isOurs)
        tally[why]++
        if (why === 'no explanation' && tally.first === '')
          tally.first = `${question.expression} ${question.timeZone} ${new Date(at).toISOString()} ${isOurs ? 'ours' : 'theirs'}`
      }
    }
  }
  return tally
}

const noOracle = oracleReason()
if (noOracle) console.log(`# left out: ${noOracle}`)

test(
  'random expressions in six zones fire when systemd says, or the rule says why not',
  { skip: noOracle ?? false },
  () => {
    const tally = compare(ours, expressionCount, isFull ? Date.now() % 1e6 : 5)
    console.log(`# ${JSON.stringify(tally)}`)
    assert.equal(tally['no explanation'], 0, tally.first)
  },
)

test(
  'the same comparison catches the library alone, and both-day fields taken as one',
  { skip: noOracle ?? false },
  () => {
    const alone: Compute = ({ expression, timeZone }, after) => {
      try {
        const cron = new Cron(expression, {
          timezone: timeZone,
          mode: '5-part',
          paused: true,
          domAndDow: true,
        })
        return cron.nextRuns(iterations, new Date(after)).map(date => date.getTime())
      } catch {
        return []
      }
    }
    assert.ok(compare(alone, 2 * batch, 5)['no explanation'] > 0)
  },
)

const noCrontab = crontabReason()
if (noCrontab) console.log(`# left out: ${noCrontab}`)

test('Debian reads every line that is written for it', { skip: noCrontab ?? false }, () => {
  const random = dice(13)
  const lines = Array.from({ length: 100 }, () =>
    hostLines(randomExpression(random), random.pick(zones), random.pick(zones), { year: 2026 }),
  ).flat()
  assert.equal(isCrontab(lines), true, lines.join('\n'))
  assert.equal(isCrontab([...lines, '5/15 * * * *']), false)
})

const noDaemon = isFull ? daemonReason() : 'the day with a real cron takes 100 s; SWEEP=all runs it'
if (noDaemon) console.log(`# left out: ${noDaemon}`)

test(
  'on the days of change a real cron fires what the rule says',
  { skip: noDaemon ?? false, timeout: 300_000 },
  async () => {
    const days = await Promise.all([cronDay('2026-03-29'), cronDay('2026-10-25')])
    for (const day of days) {
      console.log(
        `# ${day.date}: ${day.fired.length} fired, ${JSON.stringify(day.fired.map(({ line, at }) => `${line} @${at}`))}`,
      )
      assert.deepEqual(unexplained(day), [])
      assert.ok(
        unexplained({ ...day, fired: day.fired.slice(0, -4) }).length > 0,
        'and a cron that fires less is caught',
      )
    }
  },
)
