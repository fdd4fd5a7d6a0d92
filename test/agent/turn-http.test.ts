import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import type { ModelApi } from '../../src/agent/model.ts'
import { runTurn } from '../../src/agent/turn.ts'
import { ask, linkTo } from '../adapters/models/model-rig.ts'
import { localServer, refusedOrigin } from '../local-server.ts'
import { repoDir, sharedPath } from '../shared.ts'
import { tempDir } from '../temp-dir.ts'
import { chainOf, result, turnOf } from './turn-rig.ts'

const stream = (name: string): Buffer => readFileSync(join(repoDir, 'fixtures/streams/openai-chat', name))

test('over HTTP: a round of tools, then the answer, with usage of both', async t => {
  const bodies: string[] = []
  const origin = await localServer(t, async (request, response) => {
    let body = ''
    for await (const piece of request) body += String(piece)
    bodies.push(body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(stream(body.includes('"role":"tool"') ? 'text.sse' : 'tools.sse'))
  })
  const { input, ran } = turnOf(chainOf([linkTo('openai-chat', origin)], ask).chain, {
    runTool: async call => result(`${call.name} ran`),
  })
  const outcome = await runTurn({
    ...input,
    tools: ['read', 'list'].map(name => ({ name, description: name, parameters: { type: 'object' } })),
  })
  assert.ok(outcome.kind === 'answered')
  assert.equal(outcome.text, 'Zwei 新闻 🦞.')
  assert.deepEqual(
    ran.map(call => call.arguments),
    [{ path: 'a.md' }, {}],
  )
  assert.equal(outcome.usage.totalTokens, 300)
  assert.match(bodies[1] ?? '', /list ran/)
})

test('over HTTP: a refused port and a failing server are passed over, and each is named', async t => {
  const failing = await localServer(t, (_request, response) =>
    response.writeHead(500).end('<html>oops</html>'),
  )
  const good = await localServer(t, (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(stream('text.sse')),
  )
  const links = [await refusedOrigin(), failing, good].map((origin, n) =>
    linkTo('openai-chat', origin, { ref: `p${n}/m`, provider: `p${n}` }),
  )
  const outcome = await runTurn(turnOf(chainOf(links, ask).chain).input)
  assert.ok(outcome.kind === 'answered')
  assert.equal(outcome.link?.ref, 'p2/m')
  assert.deepEqual(
    outcome.attempts.map(({ ref, why, status }) => [ref, why, status]),
    [
      ['p0/m', 'network', undefined],
      ['p0/m', 'network', undefined],
      ['p1/m', 'server', 500],
      ['p1/m', 'server', 500],
    ],
  )
})

const mock = sharedPath('mock-llm.mjs')

test('the mock server: each API, with and without a tool call', { skip: mock === undefined }, async t => {
  if (mock === undefined) return
  const origin = await startMock(t, mock)
  const paths: [ModelApi, string][] = [
    ['openai-chat', '/v1'],
    ['openai-responses', '/v1'],
    ['anthropic-messages', ''],
    ['ollama-chat', ''],
  ]
  for (const [api, path] of paths) {
    for (const prefix of ['', '/tool']) {
      const { input, ran } = turnOf(chainOf([linkTo(api, origin + prefix + path)], ask).chain)
      const outcome = await runTurn(input)
      assert.ok(outcome.kind === 'answered', `${api} ${prefix}: ${JSON.stringify(outcome.attempts)}`)
      assert.equal(outcome.text, 'Hello from the mock.')
      assert.equal(ran.length, prefix === '' ? 0 : 1, api)
    }
  }
})

async function startMock(t: TestContext, path: string): Promise<string> {
  const port = new URL(await refusedOrigin()).port
  const child = spawn(process.execPath, [path, port, join(tempDir(t), 'mock.jsonl')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill())
  for await (const _line of child.stdout) return `http://127.0.0.1:${port}`
  throw new Error('the mock server did not start')
}
