import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import type { MockAnswer, MockRequest } from '../mock-model.ts'
import { sharedPath } from '../shared.ts'
import { easyContract, leaksOf, secret, transcript, useModel, withModel } from './model-rig.ts'
import { claw, clawJson, digest, digestJob, edit, workspace } from './rig.ts'

const env = { MOCK_KEY: secret }

interface Report {
  run: string
  state: string
  reason: string
  text: string
  model: string | null
  session: string
  usage: { in: number; out: number; cost: number | null }
  fallbacks: { ref: string; why: string; detail: string }[]
  delivery: { state: string }[]
  keptAside: string | null
}

/** The text of the gathered items, as a model that obeys would send it back. */
function obedient({ body }: MockRequest): string {
  const asked = JSON.stringify(body)
  const urls = [
    ...new Set([...asked.matchAll(/https:\/\/[a-z.]+\.example\.(?:com|org|net)\/[\w/.-]+/g)].map(String)),
  ]
  const items = urls.map(url => `- ★★★☆☆ [An item](${url}): news. (source, date)`)
  return [
    'A quiet day.',
    '## Top',
    ...items.slice(0, 15),
    '## Papers',
    ...items.slice(15),
    '## Rewrite points',
    ...items.slice(0, 3),
  ].join('\n')
}

const toolThenText = (request: MockRequest, index: number): MockAnswer =>
  index === 0
    ? { toolCall: { name: 'shared_read', arguments: { path: 'PROJECT_STATUS.md' } } }
    : { text: obedient(request) }

test('a job runs through a real HTTP model with a tool call; transcript, usage and cost are kept', async t => {
  const { root, model } = await withModel(t, toolThenText)
  const [report, { code, err }] = await clawJson<Report>([...digest, '--slot', 'auto'], { cwd: root, env })
  assert.equal(code, 0, err)
  assert.equal(report.model, 'mock/m')
  assert.deepEqual([report.usage.in, report.usage.out, report.usage.cost?.toFixed(6)], [200, 40, '0.000600'])
  assert.deepEqual(
    report.delivery.map(({ state }) => state),
    ['delivered'],
  )
  const messages = transcript(root, report.session)
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['user', 'assistant', 'toolResult', 'assistant'],
  )
  assert.match(JSON.stringify(messages[1]!.content), /"type":"toolCall".*shared_read/)
  assert.equal(messages[2]!.toolName, 'shared_read')
  assert.deepEqual(
    model.requests.map(({ path }) => path),
    ['/v1/chat/completions', '/v1/chat/completions'],
  )
  const [record] = await clawJson<{ usage: unknown; tools: unknown[] }>(['runs', report.run], { cwd: root })
  assert.deepEqual(record.usage, report.usage)
  assert.deepEqual(record.tools, [{ name: 'shared_read', ok: true, denied: false }])
  assert.deepEqual(leaksOf(root, [err]), [])
})

test('the job runs through the model server beside the checkout, tool call first', async t => {
  const server = sharedPath('mock-llm.mjs')
  if (!server) return t.skip('no model server beside the checkout')
  const root = await workspace(t)
  const origin = await startServer(t, server, root)
  useModel(root, `${origin}/tool/v1`)
  easyContract(root)
  const [report, { code, err }] = await clawJson<Report>(digest, { cwd: root, env })
  assert.equal(code, 0, err)
  assert.equal(report.text.trim(), 'Hello from the mock.')
  assert.deepEqual(
    transcript(root, report.session).map(({ role }) => role),
    ['user', 'assistant', 'toolResult', 'assistant'],
  )
  assert.ok((report.usage.cost ?? 0) > 0)
  const tested = await claw(['models', 'test'], { cwd: root, env })
  assert.equal(tested.code, 0, tested.out + tested.err)
})

async function startServer(t: TestContext, script: string, folder: string): Promise<string> {
  const port = 20_000 + (process.pid % 20_000)
  const child = spawn(process.execPath, [script, String(port), join(folder, '..', 'model.log')])
  t.after(() => child.kill())
  await once(child.stdout, 'data')
  return `http://127.0.0.1:${port}`
}

test('models test asks for a word and says what came back', async t => {
  const { root, model } = await withModel(t, () => ({ text: 'ready' }))
  const [tests, { code }] = await clawJson<{ ref: string; ok: boolean; detail: string }[]>(
    ['models', 'test'],
    { cwd: root, env },
  )
  assert.equal(code, 0)
  assert.deepEqual(
    tests.map(({ ref, ok, detail }) => ({ ref, ok, detail })),
    [{ ref: 'mock/m', ok: true, detail: 'ready' }],
  )
  assert.equal(model.requests.length, 1, 'the model of two chains is asked once')
})

test('an answer that breaks the contract is sent back once, then rejected and kept aside', async t => {
  const { root, model } = await withModel(t, () => ({ text: 'Nothing much happened. See https://made.up/x' }))
  const { code, out, err } = await claw(digest, { cwd: root, env })
  assert.equal(code, 4)
  assert.equal(model.requests.length, 2)
  assert.match(JSON.stringify(model.requests[1]!.body), /did not accept it/)
  assert.match(out, /^the text was kept in \.claw\/quarantine\/\S+\.md$/m)
  assert.match(err, /claw: rejected: .*18/)
  assert.equal(readdirSync(join(root, '.claw/quarantine')).length, 1)
  assert.ok(!readdirSync(join(root, 'vault')).includes('ainews'), 'nothing is delivered')
})

test('an answer that is corrected when told is accepted', async t => {
  const { root } = await withModel(t, (request, index) => ({
    text: index === 0 ? 'Too short.' : obedient(request),
  }))
  const [report, { code }] = await clawJson<Report>(digest, { cwd: root, env })
  assert.equal(code, 0, report.reason)
})

for (const [name, text] of [
  ['an empty answer', ''],
  ['blanks', ' \n '],
  ['a silence that the job does not allow', 'NO_REPLY'],
] as const) {
  test(`${name} is no success`, async t => {
    const { root } = await withModel(t, () => ({ text }))
    const { code, err } = await claw(digest, { cwd: root, env })
    assert.ok(code === 4 || code === 1, `exit ${code}`)
    assert.match(err, /^claw: (rejected|failed): ./m)
  })
}

test('a model that hangs ends the run at the time limit of the job', async t => {
  const { root } = await withModel(t, () => ({ hang: true }))
  edit(root, digestJob, 'timeout: 240s', 'timeout: 2s')
  const [report, { code }] = await clawJson<Report>([...digest, '--slot', 'auto'], { cwd: root, env })
  assert.equal(code, 3)
  assert.equal(report.state, 'timed_out')
  const [again] = await clawJson<Report>([...digest, '--slot', 'auto'], { cwd: root, env })
  assert.match(again.reason, /is tried again at \S+/)
})

test('a model over its limit is passed over for this run, and the run says so', async t => {
  const over = {
    status: 429,
    headers: { 'retry-after': '3600' },
    body: { error: { message: 'slow down', type: 'rate_limit' } },
  }
  const { root } = await withModel(t, request =>
    request.body['model'] === 'm' ? over : { text: obedient(request) },
  )
  edit(root, 'claw.yaml', 'routine: {models: [mock/m]', 'routine: {models: [mock/m, mock/spare]')
  const [report, { code, err }] = await clawJson<Report>(digest, { cwd: root, env })
  assert.equal(code, 0, err)
  assert.equal(report.model, 'mock/spare')
  assert.equal(report.usage.cost, null, 'a price that is not known is not zero')
  const shown = await claw(['runs', report.run], { cwd: root })
  assert.match(shown.out, /fallbacks\s+mock\/m: rate-limit \(slow down\)/)
  const listed = await claw(['models', 'list', '--now', '2026-11-28T00:45:00Z'], { cwd: root, env })
  assert.match(listed.out, /mock\/m .*rests until 2026-11-28T0/)
})

test('a wrong key gives one clear line, and no key is written or printed anywhere', async t => {
  const refusal = {
    error: {
      message: `Incorrect API key provided: ${secret}. Go away.`,
      type: 'invalid_request_error',
      code: 'invalid_api_key',
    },
  }
  const { root } = await withModel(t, () => ({ status: 401, body: refusal }))
  writeFileSync(join(root, '.env'), `MOCK_KEY="${secret}"\n`)
  const said = [await claw(digest, { cwd: root })]
  assert.equal(said[0]!.code, 1)
  assert.match(said[0]!.err, /^claw: failed: .*auth/m)
  for (const argv of [
    ['runs'],
    ['runs', '--json'],
    ['models', 'test'],
    ['models', 'test', '--json'],
    ['models', 'list'],
    ['doctor'],
    [...digest, '--dry-run'],
    ['context', 'detail', 'ainews'],
  ])
    said.push(await claw(argv, { cwd: root }))
  assert.deepEqual(
    leaksOf(
      root,
      said.flatMap(({ out, err }) => [out, err]),
    ),
    [],
  )
})

test('a model that says the key out loud does not get it printed, stored or delivered', async t => {
  const { root } = await withModel(t, () => ({ text: `The key is ${secret}, and that is long enough.` }))
  easyContract(root)
  const said = []
  for (const argv of [
    digest,
    [...digest, '--json'],
    ['run', 'zoe', '-m', `is ${secret} the key?`],
    ['models', 'test'],
    ['models', 'test', '--json'],
  ]) {
    said.push(await claw(argv, { cwd: root, env }))
    assert.equal(said.at(-1)!.code, 0, said.at(-1)!.err)
  }
  assert.deepEqual(
    leaksOf(
      root,
      said.flatMap(({ out, err }) => [out, err]),
    ),
    [],
  )
  assert.deepEqual(leaksOf(root, [`x${secret}`]), [`x${secret}`])
})
