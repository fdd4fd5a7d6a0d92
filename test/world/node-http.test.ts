import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createServer, request as askNode } from 'node:http'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { HttpError, type HttpRequest, readBody, readBodyText } from '../../src/world/http.ts'
import { nodeHttp } from '../../src/world/node-http.ts'
import { localServer, portOf, refusedOrigin } from '../local-server.ts'
import { repoDir } from '../shared.ts'

const http = nodeHttp({})

function get(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url, connectMs: 5000, idleMs: 5000, totalMs: 10_000, ...more }
}

async function failure(request: HttpRequest, port = http): Promise<HttpError> {
  try {
    await readBody(await port.request(request))
  } catch (error) {
    assert.ok(error instanceof HttpError, String(error))
    return error
  }
  throw new Error('expected a failure')
}

test('a POST carries its body and headers, and the answer comes with lower-case headers', async t => {
  const origin = await localServer(t, (request, response) => {
    const pieces: Buffer[] = []
    request.on('data', piece => pieces.push(piece))
    request.on('end', () => {
      response.setHeader('X-Twice', ['a', 'b'])
      response.writeHead(418)
      const { method, url, headers } = request
      response.end(
        JSON.stringify({ method, url, key: headers['x-key'], body: Buffer.concat(pieces).toString() }),
      )
    })
  })
  const response = await http.request(
    get(`${origin}/a?b=1`, { method: 'POST', headers: { 'X-Key': 'k' }, body: 'Grüße' }),
  )
  assert.equal(response.status, 418)
  assert.equal(response.headers['x-twice'], 'a, b')
  assert.deepEqual(JSON.parse(await readBodyText(response)), {
    method: 'POST',
    url: '/a?b=1',
    key: 'k',
    body: 'Grüße',
  })
})

const text = 'Gesammelt — 收集 🦞 '.repeat(400)
const encodings = {
  gzip: gzipSync(text),
  deflate: deflateSync(text),
  br: brotliCompressSync(text),
  'gzip, br': brotliCompressSync(gzipSync(text)),
}
for (const [encoding, bytes] of [...Object.entries(encodings), ['deflate', deflateRawSync(text)] as const]) {
  test(`an answer in ${encoding} is decoded, also in single bytes at its start`, async t => {
    const origin = await localServer(t, (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding })
      response.write(bytes.subarray(0, 1))
      response.end(bytes.subarray(1))
    })
    assert.equal(await readBodyText(await http.request(get(origin))), text)
  })
}

test('a damaged or cut compressed answer is a failure, never a shorter text', async t => {
  const whole = gzipSync(text)
  for (const bytes of [whole.subarray(0, whole.length - 9), Buffer.from('no gzip at all')]) {
    const origin = await localServer(t, (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' })
      response.end(bytes)
    })
    assert.equal((await failure(get(origin))).kind, 'network')
  }
})

test('a body above the limit ends the exchange, and a small bomb counts as what it grows to', async t => {
  const origin = await localServer(t, (request, response) => {
    const zeros = Buffer.alloc(5_000_000)
    if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' })
    response.end(request.url === '/bomb' ? gzipSync(zeros) : zeros)
  })
  for (const path of ['/plain', '/bomb']) {
    assert.equal((await failure(get(origin + path, { maxBytes: 100_000 }))).kind, 'too-large', path)
  }
})

test('a large body with a slow reader arrives whole', async t => {
  const origin = await localServer(t, (_request, response) => response.end(Buffer.alloc(20_000_000, 7)))
  const response = await http.request(get(origin))
  let sizeBytes = 0
  for await (const chunk of response.body) {
    sizeBytes += chunk.length
    await new Promise(resolve => setImmediate(resolve))
  }
  assert.equal(sizeBytes, 20_000_000)
})

test('a refused port is a network failure that was not sent', async () => {
  const error = await failure(get(await refusedOrigin(), { method: 'POST', body: 'x' }))
  assert.equal(error.kind, 'network')
  assert.equal(error.sent, false)
})

test('a silent server ends in idle, before and within the body; it may have the request', async t => {
  const origin = await localServer(t, (request, response) => {
    if (request.url === '/body') response.write('first')
  })
  for (const path of ['/head', '/body']) {
    const error = await failure(get(origin + path, { idleMs: 60 }))
    assert.equal(error.kind, 'idle', path)
    assert.equal(error.sent, true)
  }
})

test('an endless trickle ends at the total limit, redirects included', async t => {
  const origin = await localServer(t, (request, response) => {
    if (request.url === '/hop') return response.writeHead(302, { location: '/trickle' }).end()
    const timer = setInterval(() => response.write('.'), 20)
    response.on('close', () => clearInterval(timer))
    return undefined
  })
  assert.equal(
    (await failure(get(`${origin}/hop`, { idleMs: 2000, totalMs: 200, maxRedirects: 1 }))).kind,
    'total',
  )
})

test('a connection broken before and within the answer is a network failure, and what came is handed out', async t => {
  const origin = await localServer(t, (request, response) => {
    if (request.url === '/body') response.write('kept', () => setTimeout(() => response.destroy(), 20))
    else response.destroy()
  })
  assert.equal((await failure(get(`${origin}/head`))).kind, 'network')
  const response = await http.request(get(`${origin}/body`))
  const seen: string[] = []
  await assert.rejects(
    async () => {
      for await (const chunk of response.body) seen.push(Buffer.from(chunk).toString())
    },
    { kind: 'network' },
  )
  assert.deepEqual(seen, ['kept'])
})

test('an abort ends the exchange before, during and after the head', async t => {
  const origin = await localServer(t, (request, response) => {
    if (request.url === '/body') response.write('x')
  })
  const gone = AbortSignal.abort()
  assert.deepEqual([(await failure(get(origin, { signal: gone }))).kind], ['aborted'])
  for (const path of ['/head', '/body']) {
    const stop = new AbortController()
    setTimeout(() => stop.abort(), 50)
    assert.equal((await failure(get(origin + path, { signal: stop.signal }))).kind, 'aborted', path)
  }
})

test('redirects are followed for GET up to the limit, and the final address is told', async t => {
  const origin = await localServer(t, (request, response) => {
    const hop = Number(request.url?.slice(1))
    if (hop > 0) response.writeHead(hop % 2 === 0 ? 301 : 307, { location: `/${hop - 1}` }).end()
    else response.end('there')
  })
  const there = await http.request(get(`${origin}/3`, { maxRedirects: 3 }))
  assert.equal(there.url, `${origin}/0`)
  assert.equal(await readBodyText(there), 'there')
  assert.equal((await failure(get(`${origin}/4`, { maxRedirects: 3 }))).kind, 'network')
  assert.equal((await http.request(get(`${origin}/1`))).status, 307)
  const post = await http.request(get(`${origin}/1`, { method: 'POST', body: '', maxRedirects: 3 }))
  assert.equal(post.status, 307)
})

test('credentials do not follow a redirect to another origin, other headers do', async t => {
  const seen: Record<string, unknown>[] = []
  const other = await localServer(t, (request, response) => {
    seen.push(request.headers)
    response.end()
  })
  const origin = await localServer(t, (request, response) => {
    seen.push(request.headers)
    const isFirst = request.url === '/first'
    response.writeHead(302, { location: isFirst ? '/second' : other }).end()
  })
  const headers = { Authorization: 'Bearer s3cret', 'X-Api-Key': 's3cret', Cookie: 's3cret', 'x-kept': 'yes' }
  await readBody(await http.request(get(`${origin}/first`, { headers, maxRedirects: 5 })))
  assert.deepEqual(
    seen.map(({ authorization }) => authorization),
    ['Bearer s3cret', 'Bearer s3cret', undefined],
  )
  assert.deepEqual(
    seen.map(one => one['x-kept']),
    ['yes', 'yes', 'yes'],
  )
  assert.ok(!JSON.stringify(seen[2]).includes('s3cret'))
})

test('a bad address is told apart, and no failure text shows path, query or userinfo', async t => {
  for (const url of ['nonsense', 'ftp://example.org/x', 'file:///etc/hosts', '']) {
    assert.equal((await failure(get(url))).kind, 'bad-url', url)
  }
  const origin = await localServer(t, (request, response) => {
    if (request.url?.startsWith('/away')) response.writeHead(302, { location: 'file:///etc/passwd' }).end()
    else response.destroy()
  })
  const secret = `${origin.replace('//', '//user:s3cret@')}/bot-s3cret?key=s3cret`
  for (const url of [secret, secret.replace('/bot', '/away'), secret.replace(/:\d+\//, ':1/')]) {
    const error = await failure(get(url, { maxRedirects: 2 }))
    assert.ok(!`${error.message} ${String(error.cause)}`.includes('s3cret'), error.message)
    assert.match(error.message, /127\.0\.0\.1/)
  }
})

test('a proxy named in the environment is used, except for what NO_PROXY exempts', async t => {
  const asked: string[] = []
  const proxy = await localServer(t, (request, response) => {
    asked.push(String(request.url))
    askNode(`http://127.0.0.1:${new URL(String(request.url)).port}/`, inner => inner.pipe(response)).end()
  })
  const origin = await localServer(t, (_request, response) => response.end('through'))
  const named = origin.replace('127.0.0.1', 'site.test')
  const answer = await nodeHttp({ http_proxy: proxy }).request(get(`${named}/page`))
  assert.equal(await readBodyText(answer), 'through')
  assert.deepEqual(asked, [`${named}/page`])
  await readBody(await nodeHttp({ http_proxy: proxy }).request(get(origin)))
  assert.equal(asked.length, 1, 'this machine itself is asked directly')
  const exempt = await failure(
    get(named),
    nodeHttp({ http_proxy: proxy, NO_PROXY: 'other.test, .site.test' }),
  )
  assert.equal(exempt.sent, false)
})

test('https goes through a CONNECT tunnel of the proxy', async t => {
  const tunnels: string[] = []
  const target = createServer()
  const proxy = createServer()
  proxy.on('connect', (request, socket) => {
    tunnels.push(String(request.url))
    const inner = connect(portOf(target), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      inner.pipe(socket).pipe(inner)
    })
    inner.on('error', () => socket.destroy())
    socket.on('error', () => inner.destroy())
  })
  await Promise.all([target, proxy].map(one => new Promise<void>(done => one.listen(0, '127.0.0.1', done))))
  t.after(() => [target, proxy].forEach(one => (one.closeAllConnections(), one.close())))
  const error = await failure(
    get('https://site.test/x'),
    nodeHttp({ HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}` }),
  )
  assert.equal(error.kind, 'network', 'the target speaks no TLS')
  assert.deepEqual(tunnels, ['site.test:443'])
})

test('a process ends by itself after its last answer', async t => {
  const origin = await localServer(t, (_request, response) => response.end('done'))
  const code = `
    import { nodeHttp } from ${JSON.stringify(`${repoDir}src/world/node-http.ts`)}
    import { readBodyText } from ${JSON.stringify(`${repoDir}src/world/http.ts`)}
    const answer = await nodeHttp({}).request({ method: 'GET', url: ${JSON.stringify(origin)}, connectMs: 9e5, idleMs: 9e5, totalMs: 9e5 })
    process.stdout.write(await readBodyText(answer))`
  const stdout = await childOutput(t, code)
  assert.equal(stdout, 'done')
})

async function childOutput(t: TestContext, code: string): Promise<string> {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    cwd: repoDir,
  })
  const limit = setTimeout(() => child.kill('SIGKILL'), 60_000)
  t.after(() => clearTimeout(limit))
  let stdout = ''
  child.stdout.on('data', piece => (stdout += String(piece)))
  child.stderr.pipe(process.stderr)
  const exitCode = await new Promise(resolve => child.on('exit', resolve))
  assert.equal(exitCode, 0)
  return stdout
}
