import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { CollectorCache } from '../../../src/agent/collector.ts'
import { simWorld } from '../../../src/sim/sim-world.ts'
import { DiskError } from '../../../src/world/disk.ts'
import { lazyHttp } from '../../../src/world/lazy-http.ts'
import { localServer, refusedOrigin } from '../../local-server.ts'
import { collector, contextOf, memoryCache } from './rig.ts'

const collect = collector('feeds.collect')
const rss = (title: string): string =>
  `<rss version="2.0"><channel><title>F</title><link>/home/</link><item><title>${title}</title><link>item</link></item></channel></rss>`

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Collects `path` of a real server on the loopback interface. */
async function setUp(t: TestContext, listener: Listener, cache: CollectorCache = memoryCache()) {
  const origin = await localServer(t, listener)
  const world = { ...simWorld({ now: '2026-11-30T12:00:00Z' }), http: lazyHttp({}) }
  return {
    origin,
    collect: (path: string, options: Record<string, unknown> = {}) =>
      collect({ list: `${origin}${path}`, timeout: '5s', ...options }, contextOf(world, { cache })),
  }
}

test('an unchanged feed is asked for by its tag and date, and its last good items are used', async t => {
  const asked: (string | undefined)[][] = []
  const server = await setUp(t, (request, response) => {
    asked.push([request.headers['if-none-match'], request.headers['if-modified-since']])
    if (request.headers['if-none-match'] === '"v1"') return void response.writeHead(304).end()
    response
      .writeHead(200, { etag: '"v1"', 'last-modified': 'Sat, 28 Nov 2026 08:00:00 GMT' })
      .end(rss('One'))
  })
  const first = await server.collect('/feed')
  const second = await server.collect('/feed')
  assert.deepEqual(asked, [
    [undefined, undefined],
    ['"v1"', 'Sat, 28 Nov 2026 08:00:00 GMT'],
  ])
  assert.deepEqual([first.sources[0]!.state, second.sources[0]!.state], ['ok', 'not-modified'])
  assert.deepEqual(second.items, first.items)
  assert.equal(second.ready, true)
})

test('without its items no feed is asked for by tag, and a 304 all the same is a failure', async t => {
  const cache = memoryCache()
  const broken: CollectorCache = { read: () => '{"etag": "\\"v1\\"", "url"', write: cache.write }
  const server = await setUp(
    t,
    (request, response) => {
      assert.equal(request.headers['if-none-match'], undefined)
      response.writeHead(304).end()
    },
    broken,
  )
  const { sources, ready } = await server.collect('/feed')
  assert.deepEqual(
    [sources[0]!.state, sources[0]!.why, ready],
    ['failed', 'HTTP 304 to a plain question', false],
  )
})

test('a cache that cannot be read or written costs a full answer and nothing else', async t => {
  const full: CollectorCache = {
    read: () => {
      throw new DiskError('EIO', 'read', '/cache')
    },
    write: () => {
      throw new DiskError('ENOSPC', 'append', '/cache')
    },
  }
  const server = await setUp(
    t,
    (_, response) => void response.writeHead(200, { etag: '"v1"' }).end(rss('One')),
    full,
  )
  assert.deepEqual(
    (await server.collect('/feed')).items.map(({ title }) => title),
    ['One'],
  )
})

test('redirects, gzip and the charset of the answer are followed; links resolve against the last address', async t => {
  const gbk = Buffer.from([0xd6, 0xd0, 0xce, 0xc4])
  const [head = '', tail = ''] = rss('@').split('@')
  const server = await setUp(t, (request, response) => {
    if (request.url === '/old') return void response.writeHead(301, { location: '/moved/feed' }).end()
    response.writeHead(200, { 'content-type': 'text/xml; charset=gb2312', 'content-encoding': 'gzip' })
    response.end(gzipSync(Buffer.concat([Buffer.from(head), gbk, Buffer.from(tail)])))
  })
  const { items } = await server.collect('/old')
  assert.deepEqual(
    items.map(({ title, url }) => [title, url]),
    [['中文', `${server.origin}/home/item`]],
  )
})

test('every way to fail has its reason', async t => {
  const answers: Record<string, Listener> = {
    '/gone': (_, response) => response.writeHead(410).end('<rss/>'),
    '/busy': (_, response) => response.writeHead(429, { 'retry-after': '120' }).end(),
    '/page': (_, response) => response.writeHead(200).end('<!DOCTYPE html><html></html>'),
    '/large': (_, response) => response.writeHead(200).end(rss('x'.repeat(9000))),
    '/loop': (_, response) => response.writeHead(302, { location: '/loop' }).end(),
    '/cut': (_, response) => {
      response.writeHead(200, { 'content-length': '5000' })
      response.write('<rss version="2.0"><channel>')
      setImmediate(() => response.destroy())
    },
    '/silent': () => {},
  }
  const server = await setUp(t, (request, response) => answers[request.url!]!(request, response))
  const why = async (path: string, options = {}): Promise<string> => {
    const { sources, ready, items } = await server.collect(path, options)
    assert.deepEqual([sources.length, sources[0]!.state, ready, items.length], [1, 'failed', false, 0])
    return sources[0]!.why!
  }
  assert.equal(await why('/gone'), 'HTTP 410')
  assert.equal(await why('/busy'), 'HTTP 429, asks to wait 120 s')
  assert.equal(await why('/page'), 'an HTML page, not a feed')
  assert.match(await why('/large', { maxBytes: 4096 }), /^larger than/)
  assert.match(await why('/loop'), /./)
  assert.match(await why('/cut'), /./)
  assert.equal(await why('/silent', { timeout: '200ms' }), 'no answer within 0.2 s')
  assert.match(
    (await collect({ list: `${await refusedOrigin()}/f` }, contextOf({ ...simWorld(), http: lazyHttp({}) })))
      .sources[0]!.why!,
    /./,
  )
})
