import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { minuteMs } from '../../src/core/millis.ts'
import { type Rig, command, nextProcess, rig, root, warmUp, workspace } from './command-rig.ts'
import { runsOf } from './sound.ts'

before(warmUp)

const beat = ['run', 'ann', 'heartbeat'] as const

/** `claw.yaml` of the rig with a heartbeat section and a chain for it. */
function clawYaml(heartbeat: string): string {
  return workspace['claw.yaml']!.replace(
    '    main:',
    '    heartbeat: {models: [first/one], strict: true}\n    main:',
  ).concat(`heartbeat: ${heartbeat}\n`)
}

function agentWith(
  checklist: string,
  options: { heartbeat?: string; reply?: string; now?: string } = {},
): Rig {
  const { heartbeat = '{to: keyed}', reply = 'HEARTBEAT_OK', now } = options
  return rig({
    files: { 'claw.yaml': clawYaml(heartbeat), 'agents/ann/HEARTBEAT.md': checklist },
    ask: Array.from({ length: 4 }, () => ({ text: reply })),
    ...(now !== undefined && { now }),
  })
}

const tasks = [
  '# Heartbeat',
  '',
  'tasks:',
  '- name: inbox',
  '  interval: 30m',
  '  prompt: Is a request open?',
  '- name: disk',
  '  interval: 1d',
  '  prompt: Is the disk full?',
  '',
  '## Notes',
  '',
].join('\n')

test('a reply of HEARTBEAT_OK is silent, and anything else is delivered', async () => {
  const quiet = agentWith('- Is a job late?\n')
  assert.match((await command(quiet, ...beat)).out, /nothing to report/)
  assert.equal(quiet.otherSide.keyed.received.length, 0)
  const loud = agentWith('- Is a job late?\n', { reply: 'ann/list is late.' })
  assert.match((await command(loud, ...beat)).out, /is late/)
  assert.deepEqual(
    loud.otherSide.keyed.received.map(({ text }) => text),
    ['ann/list is late.'],
  )
})

for (const [what, checklist] of [
  ['headings alone', '# Heartbeat\n\n## Later\n'],
  ['an empty list', '# Heartbeat\n- \n- [ ]\n* \n'],
  ['a comment', '<!-- nothing\nfor now -->\n'],
  ['no byte', ''],
] as const) {
  test(`a checklist with ${what} asks no model`, async () => {
    const made = agentWith(checklist)
    assert.match((await command(made, ...beat)).out, /skipped, \S+HEARTBEAT\.md lists nothing to look at/)
    assert.equal(made.started(), 0)
  })
}

test('a checklist with a word in it does', async () => {
  const made = agentWith('# Heartbeat\n- look\n')
  await command(made, ...beat)
  assert.equal(made.started(), 1)
})

test('only tasks that are due are asked, and none of them asks nobody', async () => {
  const made = agentWith(tasks)
  const prompts: string[] = []
  const { ask } = made.ports
  const listening = {
    ...made,
    ports: {
      ...made.ports,
      ask: (request: Parameters<typeof ask>[0]) => {
        prompts.push(JSON.stringify(request.messages))
        return ask(request)
      },
    },
  }
  await command(listening, ...beat)
  assert.match(prompts[0]!, /inbox: Is a request open.*disk: Is the disk full/)
  const early = await command(nextProcess(listening, 10 * minuteMs), ...beat)
  assert.match(early.out, /skipped, none of the 2 tasks in \S+ is due/)
  await command(nextProcess(listening, 25 * minuteMs), ...beat)
  assert.match(prompts[1]!, /inbox/)
  assert.doesNotMatch(prompts[1]!, /disk/)
})

test('a task counts as done only after a good end', async () => {
  const made = agentWith(tasks, { reply: '' })
  assert.equal((await command(made, ...beat)).exitCode, 4)
  const again = await command(nextProcess(made), ...beat)
  assert.doesNotMatch(again.out, /is due/)
  assert.equal(made.started(), 2)
})

test('outside the active hours it is skipped by the schedule, and a person is not held up', async () => {
  const heartbeat = '{every: 30m, active: "09:00-23:00"}'
  const made = agentWith('- look\n', { heartbeat })
  const slept = await command(made, ...beat, '--slot', 'due')
  assert.match(slept.out, /skipped, outside its active hours 09:00-23:00 \(it is 08:31\)/)
  const byHand = await command(nextProcess(made), ...beat)
  assert.match(byHand.err, /it runs all the same/)
  assert.equal(made.started(), 1)
})

test('a wrong task is refused with file, line and column', async () => {
  const wrong = tasks.replace('interval: 1d', 'intervall: 1d')
  const { exitCode, err } = await command(agentWith(wrong), ...beat)
  assert.equal(exitCode, 2)
  assert.match(err, /agents\/ann\/HEARTBEAT\.md:8:3: .*intervall.*interval/)
})

test('a job file named heartbeat stands in place of the built-in one', async () => {
  const made = rig({ files: { 'agents/ann/jobs/heartbeat.md': '---\ntier: main\n---\nSay hello.\n' } })
  await command(made, ...beat)
  assert.deepEqual(
    runsOf(made).map(({ job, state }) => [job, state]),
    [['heartbeat', 'ok']],
  )
})

test('an agent without HEARTBEAT.md is told how to get one', async () => {
  const { exitCode, err } = await command(rig(), ...beat)
  assert.equal(exitCode, 2)
  assert.match(err, /no job ann\/heartbeat/)
  assert.equal(rig().world.disk.text(`${root}/.claw/heartbeat/ann.json`), undefined)
})
