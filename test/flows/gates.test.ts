import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { minuteMs } from '../../src/core/millis.ts'
import { type CommandEnd, type Rig, command, jobText, nextProcess, rig, root, warmUp } from './command-rig.ts'
import { runsOf } from './sound.ts'

before(warmUp)

/** A workspace whose one job has these lines more, and its due slot run as cron does. */
function jobWith(lines: readonly string[], options: Parameters<typeof rig>[0] = {}): Rig {
  return rig({ ...options, files: { 'agents/ann/jobs/list.md': jobText(lines), ...options.files } })
}

const due = (of: Rig): Promise<CommandEnd> => command(of, 'run', 'ann', 'list', '--slot', 'due')
const byHand = (of: Rig): Promise<CommandEnd> => command(of, 'run', 'ann', 'list')

test('a closed market is a recorded skip, and the slot is over', async () => {
  // 2026-10-01 is the national holiday, a Thursday.
  const made = jobWith(['market: {exchange: XSHG}'], { now: '2026-10-01T00:31:00Z' })
  const { exitCode, out } = await due(made)
  assert.equal(exitCode, 0)
  assert.match(out, /skipped, XSHG is closed/)
  assert.match((await due(nextProcess(made))).out, /ran already/)
  assert.equal(made.started(), 0)
})

test('an open one is not', async () => {
  await due(jobWith(['market: {exchange: XSHG}'], { now: '2026-09-30T00:31:00Z' })).then(({ out }) =>
    assert.match(out, /keyed: delivered/),
  )
})

test('a job of the session waits for no bell: half past eight is before it', async () => {
  const made = jobWith(['market: {exchange: XSHG, during: session}'])
  assert.match((await due(made)).out, /skipped, XSHG is closed/)
})

for (const [window, runs] of [
  ['07:00-23:00', true],
  ['08:31-08:32', true],
  ['23:00-07:00', false],
  ['08:32-08:31', false],
] as const) {
  test(`at 08:31, active ${window} ${runs ? 'runs' : 'skips'}`, async () => {
    const { out } = await due(jobWith([`active: "${window}"`]))
    assert.match(out, runs ? /delivered/ : /skipped, outside its active hours/)
  })
}

for (const wrong of ['7-23', '07:00', '07:00-07:00', '24:30-07:00', '07:00-23:00-24:00']) {
  test(`active: "${wrong}" is refused, not read as always`, async () => {
    const { exitCode, err } = await due(jobWith([`active: "${wrong}"`]))
    assert.equal(exitCode, 2)
    assert.match(err, /list\.md:\d+:\d+: .*two times/)
  })
}

test('what a job lacks is in its prompt and makes its run a degraded one', async () => {
  const made = jobWith(['lacks: [quote tool]'])
  const plan = await command(made, 'run', 'ann', 'list', '--dry-run')
  assert.match(plan.out, /missing: not there yet: quote tool/)
  await due(made)
  assert.deepEqual(runsOf(made)[0]?.degraded, ['not there yet: quote tool'])
})

test('a dry run says what would hold a scheduled run up, and stops before the first call', async () => {
  const made = jobWith(['active: "23:00-07:00"', 'needs: [{file: nothing.md, else: skip}]'])
  const { out } = await command(made, 'run', 'ann', 'list', '--dry-run')
  assert.match(out, /held up {4}outside its active hours 23:00-07:00 \(it is 08:31\)/)
  assert.match(out, /held up {4}nothing\.md is not there/)
  assert.equal(made.started(), 0)
})

test('on-alert: a text without an alert is stored and not sent', async () => {
  const alert = 'deliver: {to: keyed, mode: on-alert}'
  const job = (text = '') => jobText([`tools: []`]).replace('deliver: {to: keyed}', alert + text)
  const quiet = rig({ files: { 'agents/ann/jobs/list.md': job() } })
  assert.doesNotMatch((await due(quiet)).out, /keyed/)
  assert.equal(runsOf(quiet)[0]?.state, 'ok')
  const loud = rig({
    files: { 'agents/ann/jobs/list.md': job() },
    ask: [{ text: 'ALERT: it is out\n- [One](https://a.example/1)\n- [Two](https://a.example/2)\n' }],
  })
  assert.match((await due(loud)).out, /keyed: delivered/)
})

test('on-alert speaks at the times that it names in any case', async () => {
  const deliver = (time: string) => `deliver: {to: keyed, mode: on-alert, always: ["${time}"]}`
  const at = (time: string) =>
    rig({
      files: { 'agents/ann/jobs/list.md': jobText().replace('deliver: {to: keyed}', deliver(time)) },
    })
  assert.match((await due(at('08:30'))).out, /keyed: delivered/)
  assert.doesNotMatch((await due(at('22:00'))).out, /keyed/)
})

test('a product that ends in .jsonl grows by a line a slot, also when a slot is repeated', async () => {
  const made = jobWith(['produces: [{file: "knowledge/scan.jsonl", check: {minItems: 1}}]'])
  await due(made)
  await byHand(nextProcess(made))
  const lines = made.world.disk.text(`${root}/agents/ann/knowledge/scan.jsonl`)!.trimEnd().split('\n')
  const slots = lines.map(line => (JSON.parse(line) as { slot: string | null; text: string }).slot)
  assert.deepEqual(slots, ['2026-11-30T00:30:00.000Z', null])
})

test('a slot waits for a file that is worth it, and goes without at the end of its window', async () => {
  const made = jobWith([
    'needs: [{file: shared-context/upstream.md, else: wait}]',
    'catchup: {policy: latest, within: 30m}',
  ])
  assert.match((await due(made)).out, /skipped, waits for a file: \S+upstream\.md is not there/)
  assert.equal(runsOf(made).length, 0, 'waiting is no run')
  assert.match((await due(nextProcess(made, 28 * minuteMs))).out, /delivered/)
  const [record] = runsOf(made)
  assert.deepEqual(record?.degraded, ['shared-context/upstream.md is not there'])
})

test('it runs as soon as the file is there', async () => {
  const made = jobWith(['needs: [{file: shared-context/upstream.md, else: wait}]'])
  await due(made)
  made.world.disk.mkdir(`${root}/shared-context`)
  made.world.disk.create(`${root}/shared-context/upstream.md`, Buffer.from('here'))
  assert.match((await due(nextProcess(made))).out, /delivered/)
  assert.deepEqual(runsOf(made)[0]?.degraded, [])
})

test('a slot whose run failed for a cause that passes is tried again after its pause', async () => {
  const lines = ['retry: {attempts: 2, backoff: 5m, on: [rejected]}']
  const bad = { text: 'No item at all.' }
  const good = { text: '- [One](https://a.example/1)\n- [Two](https://a.example/2)\n' }
  const made = jobWith(lines, { ask: [bad, bad, good] })
  assert.equal((await due(made)).exitCode, 4)
  assert.match((await due(nextProcess(made))).out, /is tried again at 2026-11-30T00:36/)
  assert.match((await due(nextProcess(made, 5 * minuteMs))).out, /delivered/)
  assert.deepEqual(
    runsOf(made).map(({ state, failure }) => [state, failure]),
    [
      ['rejected', 'rejected'],
      ['skipped', null],
      ['ok', null],
    ],
  )
})

test('without a policy it is not', async () => {
  const made = jobWith(['retry: {attempts: 1}'], { ask: Array.from({ length: 4 }, () => ({ text: 'No.' })) })
  assert.equal((await due(made)).exitCode, 4)
  assert.match((await due(nextProcess(made, 10 * minuteMs))).out, /ran already \(run \S+: rejected\)/)
})

test('a wake-up for a slot that ran leaves no second record', async () => {
  const made = jobWith([])
  await due(made)
  await due(nextProcess(made))
  assert.equal(runsOf(made).length, 1)
})

test("a slot that is older than its job is nobody's: no run and no record", async () => {
  const made = jobWith([], { now: '2026-11-30T03:00:00Z' })
  assert.match((await due(made)).out, /skipped, slot \S+ is older than the schedule/)
  assert.equal(runsOf(made).length, 0)
})

test('a slot past its window is recorded as missed, once', async () => {
  const made = jobWith(['catchup: {policy: latest, within: 1h}'], { now: '2026-11-30T00:20:00Z' })
  made.world.clock.advance(160 * minuteMs)
  assert.match((await due(made)).out, /skipped, missed: slot \S+ was not run in time/)
  await due(nextProcess(made))
  assert.deepEqual(
    runsOf(made).map(({ state }) => state),
    ['skipped'],
  )
  const status = await command(made, 'status')
  assert.match(status.out, /missed 1 slots? were not run in time: ann\/list 1/)
  assert.match((await command(made, 'cron', 'list')).out, /ann\/list .*missed/)
  assert.match((await command(made, 'cron', 'history')).out, /ann\/list +missed/)
})

test('a file that an editor or macOS hides among the jobs is no job', async () => {
  const made = rig({ files: { 'agents/ann/jobs/._list.md': '\0\x05', 'agents/ann/jobs/.list.md.swp': 'x' } })
  const { exitCode, out } = await command(made, 'cron', 'list')
  assert.equal(exitCode, 0)
  assert.doesNotMatch(out, /\._list/)
})

test('a job file that cannot be read is a row of its own', async () => {
  const made = rig({ files: { 'agents/ann/jobs/bad.md': '---\nschedul: "0 9 * * *"\n---\nGo.\n' } })
  assert.match(
    (await command(made, 'cron', 'list')).out,
    /ann\/bad +broken .* agents\/ann\/jobs\/bad\.md:2:1/,
  )
})
