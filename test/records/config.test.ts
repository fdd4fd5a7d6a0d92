import assert from 'node:assert/strict'
import test from 'node:test'
import { ClawError } from '../../src/core/claw-error.ts'
import { loadConfig } from '../../src/records/config.ts'
import { fillSecrets, loadEnv, secretValues } from '../../src/records/env.ts'
import { loadJob } from '../../src/records/jobs.ts'
import { simWorld } from '../../src/sim/sim-world.ts'

const good = 'team: demo\ntimezone: Asia/Shanghai\n'

async function refusal(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => undefined,
    thrown => thrown,
  )
  assert.ok(error instanceof ClawError, String(error))
  assert.equal(error.exitCode, 2)
  return [error.message, error.hint].filter(Boolean).join(' | ')
}

test('a mistake in claw.yaml is named with line, column and the nearest key', async () => {
  const table: [string, RegExp][] = [
    [`${good}limts: {rounds: 3}\n`, /^claw\.yaml:3:1: unknown key `limts`; did you mean `limits`\?$/],
    [`${good}limits:\n  rounds: many\n`, /^claw\.yaml:4:3: `limits\.rounds` must be a whole number/],
    [`${good}channels:\n  a: {type: discord-webhook}\n`, /^claw\.yaml:4:3: .* needs `url`/],
    [`${good}models:\n  chains:\n    main: [gpt]\n`, /^claw\.yaml:5:12: .*must read provider\/model/],
    [`team: demo\ntimezone: Mars/Olympus\n`, /^claw\.yaml:2:1: .*IANA time zone/],
    [`team: demo\n`, /^claw\.yaml:1:1: .*`timezone` must be text/],
    [`${good}team: twice\n`, /^claw\.yaml:3:/],
    [`${good}  broken: [\n`, /^claw\.yaml:/],
  ]
  for (const [yaml, expected] of table) {
    const world = simWorld({ files: { 'claw.yaml': yaml } })
    assert.match(await refusal(loadConfig(world, '/ws')), expected, yaml)
  }
})

test('the decoded configuration is kept by its text, and an edit is seen at once', async () => {
  const world = simWorld({ files: { 'claw.yaml': good } })
  assert.equal((await loadConfig(world, '/ws', { saveCache: true })).team, 'demo')
  assert.ok(world.disk.text('/ws/.claw/index/config.json'))
  world.disk.remove('/ws/claw.yaml')
  world.disk.create('/ws/claw.yaml', new TextEncoder().encode(good.replace('demo', 'other')))
  assert.equal((await loadConfig(world, '/ws')).team, 'other')
})

test('a damaged decode cache costs nothing but time', async () => {
  const world = simWorld({ files: { 'claw.yaml': good, '.claw/index/config.json': '{"version":1,"entr' } })
  assert.equal((await loadConfig(world, '/ws')).team, 'demo')
})

test('reading the configuration writes nothing', async () => {
  const world = simWorld({ files: { 'claw.yaml': good } })
  await loadConfig(world, '/ws')
  assert.equal(world.disk.calls.filter(call => call.mutates).length, 0)
})

test('a job is named with its file, line and column, and a misspelt name with the nearest', async () => {
  const job = '---\nschedule: "0 8 * * *"\noverlp: skip\n---\nDo it.\n'
  const world = simWorld({ files: { 'claw.yaml': good, 'agents/zoe/jobs/daily-note.md': job } })
  assert.match(
    await refusal(loadJob(world, '/ws', { agent: 'zoe', job: 'daily-note' })),
    /^agents\/zoe\/jobs\/daily-note\.md:3:1: unknown key `overlp`; did you mean `overlap`\?/,
  )
  assert.match(
    await refusal(loadJob(world, '/ws', { agent: 'zoe', job: 'daly-note' })),
    /did you mean zoe\/daily-note\?/,
  )
})

test('secrets come from the environment over .env, by ${NAME} only', () => {
  const env = '\uFEFFexport KEY="in file" # not part of it\r\nOTHER=\'a#b\'\r\n# COMMENTED=1\n'
  const world = simWorld({ files: { '.env': env }, host: { env: { OTHER: 'from outside' } } })
  const loaded = loadEnv(world, '/ws')
  assert.equal(loaded['OTHER'], 'from outside')
  assert.equal(loaded['KEY'], 'in file')
  assert.equal(fillSecrets('Bearer ${OTHER}', loaded, 'x'), 'Bearer from outside')
  assert.deepEqual(secretValues(['${OTHER} ${NOT_SET}', undefined], loaded), ['from outside'])
  assert.throws(
    () => fillSecrets('${NOT_SET}', loaded, 'models.providers.a'),
    /models\.providers\.a: \$\{NOT_SET\} is not set/,
  )
})
