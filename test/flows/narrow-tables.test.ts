import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { Out } from '../../src/cli/out.ts'
import { minuteMs } from '../../src/core/millis.ts'
import { command, jobText, nextProcess, type Rig, warmUp } from './command-rig.ts'
import { tick, tickRig } from './tick-rig.ts'

before(warmUp)

async function json<T>(of: Rig, ...argv: string[]): Promise<T> {
  return JSON.parse((await command(of, ...argv, '--json')).out) as T
}

/** What a command prints on a terminal of so many columns. */
async function onTerminal(made: Rig, columns: number, ...argv: string[]): Promise<string[]> {
  Object.assign(made.world.terminal, { outIsTty: true, columns })
  const { out } = await command(made, ...argv)
  Object.assign(made.world.terminal, { outIsTty: false, columns: 80 })
  return out.trimEnd().split('\n')
}

const longName = 'a-job-with-quite-a-long-name'

/** One job with a long name ran well; the others never ran. */
async function ranOnce(): Promise<Rig> {
  const made = tickRig({ files: { [`agents/ann/jobs/${longName}.md`]: jobText() } })
  await command(made, 'run', 'ann', longName, '--slot', 'auto')
  return nextProcess(made)
}

for (const columns of [80, 40]) {
  test(`on ${columns} columns the tables drop what matters less, and the last outcome stays whole`, async () => {
    const made = await ranOnce()
    const list = await onTerminal(made, columns, 'cron', 'list')
    const history = await onTerminal(made, columns, 'cron', 'history')
    const status = await onTerminal(made, columns, 'status')
    for (const line of [...list, ...history, status[0]!]) assert.ok(line.length <= columns, line)
    assert.match(list[1]!, columns === 80 ? /^ann\/a-job-with-quite-a-long-name / : /^ann\/a-job-with\S*… /)
    assert.match(list[1]!, / on +.*ok 11-30 00:31$/)
    assert.match(list[0]!, columns === 80 ? /^job +state +next \(\S+\) +last$/ : /^job +state +last$/)
    assert.match(history[1]!, /ann\/a-job\S+ +ok/)
    assert.match(history[0]!, columns === 80 ? /^slot +job +state +began +reason$/ : /^slot +job +state$/)
    assert.match(status[0]!, /ok$/)
  })
}

test('a table that is only cut loses the outcome', async () => {
  const made = await ranOnce()
  const { terminal } = made.world
  Object.assign(terminal, { outIsTty: true, columns: 40 })
  const row = [`ann/${longName}`, 'on', '30 8 * * *', 'ok 11-30 00:31']
  assert.doesNotMatch(new Out(terminal, { json: false, quiet: false }).table([row]), /00:31/)
})

test('cron history of the team shows what went wrong first, and no job fills the page', async () => {
  const often = jobText(['retry: {attempts: 1}']).replace('30 8 * * *', '*/5 * * * *')
  const made = tickRig({
    now: '2026-11-30T00:01:05Z',
    files: {
      'agents/ann/jobs/list.md': often,
      'agents/ann/jobs/blind.md': jobText(['catchup: {policy: none}'], 'blind').replace(
        '30 8 * * *',
        '10 8 * * *',
      ),
    },
  })
  await tick(made)
  made.world.clock.advance(15 * minuteMs)
  await tick(nextProcess(made))
  for (let minute = 0; minute < 40; minute++) await tick(nextProcess(made))
  const all = await json<{ job: string; state: string }[]>(nextProcess(made), 'cron', 'history', '-n', '5')
  assert.equal(all.length, 5)
  const states = all.map(({ job, state }) => `${job} ${state}`)
  assert.ok(states[0]!.endsWith(' missed'), states.join(', '))
  assert.ok(states.includes('ann/blind missed'), states.join(', '))
  assert.ok(states.includes('ann/list ok'), states.join(', '))
  const own = await json<{ job: string }[]>(nextProcess(made), 'cron', 'history', 'ann/list', '-n', '5')
  assert.deepEqual([own.length, new Set(own.map(({ job }) => job)).size], [5, 1])
})
