import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { discordWebhookChannel } from '../../../src/adapters/channels/discord-webhook.ts'
import { isClawError } from '../../../src/core/claw-error.ts'
import { nodeHttp } from '../../../src/world/node-http.ts'
import { sharedPath } from '../../shared.ts'

const token = 'tok'.repeat(22)

interface Seen {
  url: string
  body: string
}

async function discord(
  t: TestContext,
  respond: (response: ServerResponse, request: IncomingMessage) => void,
) {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', part => parts.push(part))
    request.on('end', () => {
      seen.push({ url: request.url ?? '', body: Buffer.concat(parts).toString('utf8') })
      respond(response, request)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const channel = discordWebhookChannel(
    'news',
    nodeHttp({}),
    `http://127.0.0.1:${port}/api/webhooks/1/${token}`,
  )
  return { channel, seen }
}

function reply(status: number, body: unknown, headers: Record<string, string> = {}) {
  return (response: ServerResponse): void => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

test('a message is sent once, waits for the answer, and can ping nobody', async t => {
  const { channel, seen } = await discord(t, reply(200, { id: '42' }))
  assert.deepEqual(await channel.send('@everyone 晨报 👩‍👧 \uD800', 'k'), { kind: 'sent', ref: '42' })
  assert.equal(seen.length, 1)
  assert.ok(seen[0]?.url.endsWith('?wait=true'))
  const body = JSON.parse(seen[0]?.body ?? '') as Record<string, unknown>
  assert.deepEqual(body['allowed_mentions'], { parse: [] })
  assert.equal(body['content'], '@everyone 晨报 👩‍👧 \uFFFD')
  assert.equal(channel.kind, 'blind')
  assert.equal(channel.maxUnits, 2000)
})

const answers: {
  name: string
  status: number
  body: unknown
  headers?: Record<string, string>
  expected: Record<string, unknown>
}[] = [
  {
    name: '429 with a body',
    status: 429,
    body: { message: 'slow', retry_after: 0.25, global: false },
    headers: { 'retry-after': '65' },
    expected: { kind: 'refused', permanent: false, retryAfterMs: 250 },
  },
  {
    name: '429 of a proxy, header only',
    status: 429,
    body: '<html>',
    headers: { 'retry-after': '3' },
    expected: { kind: 'refused', permanent: false, retryAfterMs: 3000 },
  },
  {
    name: '429 with a date',
    status: 429,
    body: '',
    headers: { 'retry-after': 'Mon, 30 Nov 2026 08:00:00 GMT' },
    expected: { kind: 'refused', permanent: false },
  },
  {
    name: 'a removed webhook',
    status: 404,
    body: { message: 'Unknown Webhook', code: 10015 },
    expected: { kind: 'refused', permanent: true },
  },
  {
    name: 'a wrong token',
    status: 401,
    body: { message: 'Invalid Webhook Token', code: 50027 },
    expected: { kind: 'refused', permanent: true },
  },
  {
    name: 'a message that is too long',
    status: 400,
    body: { message: 'Invalid Form Body', code: 50035 },
    expected: { kind: 'refused', permanent: true },
  },
  {
    name: 'a redirect',
    status: 302,
    body: '',
    headers: { location: 'http://127.0.0.1:9/' },
    expected: { kind: 'refused', permanent: true },
  },
  { name: 'a gateway error', status: 502, body: '<html>', expected: { kind: 'lost' } },
  { name: 'a server error', status: 500, body: {}, expected: { kind: 'lost' } },
  { name: 'accepted without a body', status: 204, body: '', expected: { kind: 'sent' } },
  { name: 'accepted with a broken body', status: 200, body: '{"id": "4', expected: { kind: 'sent' } },
]

for (const { name, status, body, headers, expected } of answers) {
  test(`${name} is ${String(expected['kind'])}${expected['permanent'] === true ? ' for good' : ''}`, async t => {
    const { channel, seen } = await discord(t, reply(status, body, headers))
    const outcome = await channel.send('text', 'k')
    for (const [key, value] of Object.entries(expected))
      assert.deepEqual((outcome as unknown as Record<string, unknown>)[key], value, key)
    if (expected['kind'] === 'refused' && !('retryAfterMs' in expected))
      assert.ok(!('retryAfterMs' in outcome))
    assert.ok(!JSON.stringify(outcome).includes(token))
    assert.equal(seen.length, 1)
  })
}

test('a message that was taken before the connection broke is lost, not refused', async t => {
  const { channel, seen } = await discord(t, (_response, request) => request.socket.destroy())
  const outcome = await channel.send('text', 'k')
  assert.equal(outcome.kind, 'lost')
  assert.equal(seen.length, 1)
  assert.ok(!JSON.stringify(outcome).includes(token))
})

test('taking every broken connection for a failure, the broken twin, sends twice', async t => {
  const { channel, seen } = await discord(t, (_response, request) => request.socket.destroy())
  for (let tries = 0; tries < 2; tries++) if ((await channel.send('text', 'k')).kind === 'sent') break
  assert.equal(seen.length, 2)
})

test('a web page that answers in place of Discord is no delivery', async t => {
  const { channel } = await discord(t, reply(200, '<html>log in</html>', { 'content-type': 'text/html' }))
  assert.equal((await channel.send('a', 'k')).kind, 'lost')
})

test('a status whose body breaks off is still an answer', async t => {
  const { channel } = await discord(t, response => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"id":')
    setImmediate(() => response.destroy())
  })
  assert.equal((await channel.send('text', 'k')).kind, 'sent')
})

test('a server that is not there is a refusal that may be tried again', async () => {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  const outcome = await discordWebhookChannel('news', nodeHttp({}), `http://127.0.0.1:${port}/${token}`).send(
    'text',
    'k',
  )
  assert.ok(outcome.kind === 'refused' && !outcome.permanent)
  assert.ok(!JSON.stringify(outcome).includes(token))
})

test('an address that is none is refused with what to do, without showing it', () => {
  for (const address of [
    '',
    'not an address',
    'ftp://x/y',
    'http://discord.example/api/webhooks/1/secrettoken',
  ]) {
    assert.throws(
      () => discordWebhookChannel('news', nodeHttp({}), address),
      error => isClawError(error, 'config-invalid') && !error.message.includes('secrettoken'),
    )
  }
})

test('recorded rate limits of Discord give their own waiting times', async t => {
  const expected = {
    'rate-limit-429-user.http': 64_570,
    'rate-limit-429-shared.http': 1_336_570,
    'rate-limit-429-global.http': 64_570,
  }
  for (const [file, retryAfterMs] of Object.entries(expected)) {
    const path = sharedPath('data', 'discord', file)
    if (!path) return
    const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
    const body = text.slice(text.indexOf('{'))
    const headers = Object.fromEntries(
      [...text.slice(0, text.indexOf('{')).matchAll(/^([\w-]+): (.+)$/gm)].map(
        ([, name = '', value = '']) => [name.toLowerCase(), value],
      ),
    )
    const { channel } = await discord(t, reply(429, body, headers))
    const outcome = await channel.send('text', 'k')
    assert.ok(outcome.kind === 'refused' && !outcome.permanent)
    assert.equal(outcome.retryAfterMs, retryAfterMs)
  }
})
