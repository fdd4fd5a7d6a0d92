import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { hourMs, minuteMs } from '../../src/core/millis.ts'
import { command, jobText, nextProcess, type Rig, root, warmUp, workspace } from './command-rig.ts'
import { soleJob, statesOf, tick, tickRig } from './tick-rig.ts'

before(warmUp)

const before0830 = '2026-11-30T00:29:05Z'

async function json<T>(of: Rig, ...argv: string[]): Promise<T> {
  return JSON.parse((await command(of, ...argv, '--json')).out) as T
}

test('cron list names every job with its schedule, its next moment and its last outcome', async () => {
  const made = tickRig({ now: before0830, files: { 'agents/ann/jobs/off.md': jobText(['enabled: false']) } })
  await command(made, 'run', 'ann', 'list')
  await command(nextProcess(made, 0), 'cron', 'pause', 'ann/blind', '--reason', 'no news')
  assert.deepEqual(await json(nextProcess(made, 0), 'cron', 'list'), [
    {
      job: 'ann/blind',
      enabled: true,
      schedule: '30 8 * * *',
      tz: 'Asia/Shanghai',
      next: '2026-11-30T00:30:00.000Z',
      last: null,
      paused: { at: '2026-11-30T00:29:05.000Z', reason: 'no news' },
    },
    {
      job: 'ann/list',
      enabled: true,
      schedule: '30 8 * * *',
      tz: 'Asia/Shanghai',
      next: '2026-11-30T00:30:00.000Z',
      last: { state: 'ok', at: '2026-11-30T00:29:05.000Z' },
      paused: null,
    },
    {
      job: 'ann/off',
      enabled: false,
      schedule: '30 8 * * *',
      tz: 'Asia/Shanghai',
      next: null,
      last: null,
      paused: null,
    },
  ])
  const { out } = await command(made, 'cron', 'list', '--agent', 'ann')
  assert.match(out, /ann\/list +on +30 8 \* \* \* +Mon 2026-11-30 08:30 +Mon 2026-11-30 00:30 +ok/)
})

test('a job file that cannot be used is a warning beside the list, not its end', async () => {
  const made = tickRig({ files: { 'agents/ann/jobs/bad.md': '---\nschedule: "61 * * * *"\n---\nx\n' } })
  const { exitCode, out, err } = await command(made, 'cron', 'list')
  assert.equal(exitCode, 0)
  assert.match(err, /warning: agents\/ann\/jobs\/bad\.md:2:\d+: /)
  assert.match(out, /ann\/list/)
})

test('cron next with a job is a list of instants; they count from --from, that moment included', async () => {
  const from = ['--from', '2026-12-01T00:30:00Z']
  assert.deepEqual(await json(tickRig(), 'cron', 'next', 'ann/list', '-n', '2', ...from), [
    '2026-12-01T00:30:00.000Z',
    '2026-12-02T00:30:00.000Z',
  ])
})

test('cron next without a job is the next moments of the team, in order', async () => {
  const made = tickRig({
    files: { 'agents/ann/jobs/often.md': jobText().replace('30 8 * * *', '*/20 * * * *') },
  })
  assert.deepEqual(await json(made, 'cron', 'next', '-n', '2'), [
    { at: '2026-11-30T00:40:00.000Z', job: 'ann/often' },
    { at: '2026-11-30T01:00:00.000Z', job: 'ann/often' },
  ])
})

for (const [argv, says] of [
  [['next', 'list'], /a job is named <agent>\/<job>, not list\n {2}did you mean ann\/list\?/],
  [['next', 'ann/lst'], /no job ann\/lst\n {2}did you mean ann\/list\?/],
  [['next', 'bob/list'], /no agent bob/],
  [['next', 'ann/list', '-n', '0'], /--count must be a whole number/],
  [['next', 'ann/list', '--from', 'soon'], /--from must be an ISO instant/],
  [['pause', 'ann/lst'], /no job ann\/lst/],
] as const) {
  test(`cron ${argv.join(' ')} is refused in one line that says what to do`, async () => {
    const { exitCode, err } = await command(tickRig(), 'cron', ...argv)
    assert.equal(exitCode, 2)
    assert.match(err, says)
  })
}

test('cron history tells each slot once, with its end, how late it began, and how often', async () => {
  const made = soleJob(['retry: {attempts: 2, backoff: 5m, on: [rejected]}'], {
    now: before0830,
    ask: [
      { text: 'No.' },
      { text: 'No.' },
      { text: '- [One](https://a.example/1)\n- [Two](https://a.example/2)\n' },
    ],
  })
  for (let minute = 0; minute < 12; minute++) await tick(minute === 0 ? made : nextProcess(made))
  await command(nextProcess(made), 'run', 'ann', 'list', '--slot', 'auto')
  const [end, ...more] = await json<Record<string, unknown>[]>(
    nextProcess(made),
    'cron',
    'history',
    'ann/list',
  )
  assert.deepEqual(more, [])
  assert.deepEqual(
    { ...end, run: '' },
    {
      job: 'ann/list',
      slot: '2026-11-30T00:30:00.000Z',
      state: 'ok',
      reason: '',
      lateMs: 65_000,
      attempts: 2,
      run: '',
    },
  )
})

test('a paused job runs again when it is resumed, and one bad run does not pause it at once', async () => {
  const made = soleJob([], { now: before0830, ask: Array.from({ length: 60 }, () => ({ text: 'No.' })) })
  const slotted = jobText(['retry: {attempts: 1}']).replace('30 8 * * *', '*/5 * * * *')
  made.world.disk.remove(`${root}/agents/ann/jobs/list.md`)
  made.world.disk.create(`${root}/agents/ann/jobs/list.md`, Buffer.from(slotted))
  for (let minute = 0; minute < 70; minute++) await tick(minute === 0 ? made : nextProcess(made))
  const rejected = () => statesOf(made).filter(state => state === 'list rejected').length
  assert.equal(rejected(), 10)
  assert.match(
    (await command(nextProcess(made, 0), 'status')).out,
    /paused ann\/list since \S+: 10 bad runs in a row/,
  )
  assert.match((await command(nextProcess(made, 0), 'cron', 'resume', 'ann/list')).out, /runs again/)
  assert.match((await command(nextProcess(made, 0), 'cron', 'resume', 'ann/list')).out, /was not paused/)
  for (let minute = 0; minute < 12; minute++) await tick(nextProcess(made))
  assert.equal(rejected(), 12)
})

test('an incident is listed until a person has seen it, and over when its job runs well', async () => {
  const made = tickRig({ ask: Array.from({ length: 8 }, () => ({ text: 'No.' })) })
  for (let day = 0; day < 2; day++)
    await command(nextProcess(made, day * 24 * hourMs), 'run', 'ann', 'list', '--slot', 'auto')
  const [incident] = await json<{ id: string; count: number }[]>(made, 'incidents', 'list')
  assert.equal(incident?.count, 2)
  assert.match((await command(made, 'status')).out, /incident ann\/list: 2 bad runs/)
  assert.match((await command(made, 'incidents', 'ack', incident!.id)).out, /acknowledged/)
  assert.deepEqual(await json(made, 'incidents', 'list'), [])
  assert.equal((await json<unknown[]>(made, 'incidents', 'list', '--all')).length, 1)
  assert.match((await command(made, 'status')).out, /1 acknowledged incident/)
  assert.equal((await command(made, 'incidents', 'ack', 'x')).exitCode, 2)
})

const lint = (files: Record<string, string>) => command(tickRig({ files }), 'cron', 'lint')

test('cron lint of a clean team has nothing to remark', async () => {
  const { exitCode, out } = await lint({
    'agents/ann/jobs/list.md': jobText(['retry: {attempts: 1}']),
    'agents/ann/jobs/blind.md': jobText(['retry: {attempts: 1}'], 'blind'),
  })
  assert.deepEqual([exitCode, out], [0, 'nothing to remark\n'])
})

const daily = 'schedule: "30 8 * * *"'

/** The usual job with another line for its schedule; a line about retries takes the place of the usual one. */
function job(line: string): string {
  const text = line.includes('retry:') ? jobText(['retry: x']).replace('retry: x\n', '') : jobText()
  return text.replace(daily, line)
}

for (const [what, line, says] of [
  ['both day fields', 'schedule: "30 8 1 * 1"', /cron fires when either matches/],
  [
    'a need that nobody produces',
    `${daily}\nneeds: [{file: shared-context/none.md}]`,
    /which no enabled job produces/,
  ],
  [
    'a producer that fires too late',
    `${daily}\nneeds: [{file: "knowledge/{date}-b.md"}]`,
    /ann\/blind has not fired in time for \w+ 08:30/,
  ],
  [
    'a retry after a crash',
    `${daily}\nretry: {attempts: 2, on: [crashed]}`,
    /money is spent and tools act twice/,
  ],
  [
    'slots outside a market',
    `${daily}\nmarket: {exchange: XSHG, during: session}`,
    /outside the hours of XSHG/,
  ],
] as const) {
  test(`cron lint tells of ${what}, and that is no error`, async () => {
    const produces = 'produces: [{file: "knowledge/{date}-b.md", check: {minItems: 1}}]'
    const { exitCode, out } = await lint({
      'agents/ann/jobs/list.md': job(line),
      'agents/ann/jobs/blind.md': jobText([produces]).replace('30 8', '0 9'),
    })
    assert.equal(exitCode, 0)
    assert.match(out, says)
  })
}

test('cron lint counts jobs of one minute against the seats', async () => {
  const { out } = await lint({
    'claw.yaml': workspace['claw.yaml']!.replace('limits: {', 'limits: {concurrentRuns: 1, '),
  })
  assert.match(out, /2 jobs fire at 08:30 \(ann\/blind, ann\/list\), and 1 run at a time/)
})

test('cron lint ends with 2 for an expression that cannot be used, and names its place', async () => {
  const { exitCode, out } = await lint({ 'agents/ann/jobs/bad.md': '---\nschedule: "0 0 30 2 *"\n---\nx\n' })
  assert.equal(exitCode, 2)
  assert.match(out, /error {3}agents\/ann\/jobs\/bad\.md:2: .*never fires/)
})

const hub = 'produces: [{file: shared-context/hub.md, check: {minItems: 1}}]'
const needsHub = job(`${daily}\nneeds: [{file: shared-context/hub.md, maxAge: 1h}]\nretry: {attempts: 1}`)

test('cron lint says once that a file is broken, and not what only follows from it', async () => {
  const brokenMaker = jobText([hub, 'shedule: x'])
  const { out } = await lint({ 'agents/ann/jobs/list.md': needsHub, 'agents/ann/jobs/blind.md': brokenMaker })
  assert.match(out, /^error {3}agents\/ann\/jobs\/blind\.md:\d+: unknown key `shedule`[^\n]*\n$/)
  const unrelated = jobText(['shedule: x'])
  const other = await lint({ 'agents/ann/jobs/list.md': needsHub, 'agents/ann/jobs/blind.md': unrelated })
  assert.match(other.out, /list\.md:\d+: needs shared-context\/hub\.md, which no enabled job produces/)
})

for (const [what, line, says] of [
  [
    'a pre-check that is not allowed',
    'when: {exec: "git push", changed: true}',
    /list\.md:7: when: git push: .*exec\.allow/,
  ],
  ['a pre-check with a pipe', 'when: {exec: "git status | wc"}', /list\.md:7: when: git status \| wc: /],
  [
    'a channel that is not there',
    undefined,
    /list\.md:6: deliver: no channel keydd in claw\.yaml; did you mean keyed\?/,
  ],
] as const) {
  test(`cron lint ends with 2 for ${what}, and doctor tells it once`, async () => {
    const broken = [daily, 'gather: [{tool: list.collect}]', 'timeout: 60s', 'retry: {attempts: 1}']
    const text = [
      '---',
      ...broken,
      `deliver: {to: ${line === undefined ? 'keydd' : 'keyed'}}`,
      ...(line === undefined ? [] : [line]),
      'produces: [{file: a.md, check: {minItems: 1}}]',
      '---',
      'x',
      '',
    ].join('\n')
    const files = {
      'agents/ann/jobs/list.md': text,
      'claw.yaml': `${workspace['claw.yaml']}exec: {allow: [git status]}\n`,
    }
    const { exitCode, out, err } = await lint(files)
    assert.equal(exitCode, 2)
    assert.match(out, says)
    assert.match(err, /1 of the jobs cannot run: ann\/list/)
    const told = (await command(tickRig({ files }), 'doctor')).out
      .split('\n')
      .filter(row => row.startsWith('error'))
    assert.equal(told.length, 1, told.join('\n'))
    const fine = {
      ...files,
      'agents/ann/jobs/list.md': text
        .replace('keydd', 'keyed')
        .replace(line ?? '-', 'when: {exec: git status}'),
    }
    assert.equal((await lint(fine)).exitCode, 0)
  })
}

const looks = [['status'], ['runs'], ['cron', 'list'], ['outbox', 'list'], ['run', 'ann', 'list'], ['doctor']]

for (const argv of looks) {
  test(`claw ${argv.join(' ')} tells which slots were missed while no tick came`, async () => {
    const made = tickRig({ now: before0830 })
    const said = async (of: Rig) => {
      const { out, err } = await command(of, ...argv)
      return argv[0] === 'doctor' ? out : err
    }
    await tick(made)
    assert.doesNotMatch(await said(nextProcess(made, 14 * minuteMs)), /has not run since/)
    assert.match(
      await said(nextProcess(made, 2 * minuteMs)),
      /claw tick has not run since 2026-11-30T00:29:05\.000Z, and 2 slots were not run: ann\/\w+ 2026-11-30T00:30Z, ann\/\w+ 2026-11-30T00:30Z; look at claw doctor and crontab -l/,
    )
  })
}

test('where tick never ran its absence is no alarm, and a person who names a slot is not told', async () => {
  assert.doesNotMatch((await command(tickRig(), 'status')).err, /tick/)
  const made = tickRig({ now: before0830 })
  await tick(made)
  const { err } = await command(nextProcess(made, hourMs), 'run', 'ann', 'list', '--slot', 'due')
  assert.doesNotMatch(err, /tick has not run/)
})

test('status --json holds when the last tick was and what was missed since', async () => {
  const made = tickRig({ now: before0830 })
  await tick(made)
  const { schedule } = await json<{ schedule: unknown }>(nextProcess(made, hourMs), 'status')
  assert.deepEqual(schedule, {
    lastTick: '2026-11-30T00:29:05.000Z',
    missed: [
      { job: 'ann/blind', slot: '2026-11-30T00:30:00.000Z' },
      { job: 'ann/list', slot: '2026-11-30T00:30:00.000Z' },
    ],
  })
})
