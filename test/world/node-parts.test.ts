import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ScriptHttp } from '../../src/sim/script-http.ts'
import { SeededRandom } from '../../src/sim/seeded-random.ts'
import { VirtualClock } from '../../src/sim/virtual-clock.ts'
import { nodeClock } from '../../src/world/node-clock.ts'
import { nodeDisk } from '../../src/world/node-disk.ts'
import { errnoName, readCall, systemCall } from '../../src/world/node-errno.ts'
import { nodeHost, startTicks } from '../../src/world/node-host.ts'
import { nodeRandom } from '../../src/world/node-random.ts'
import { nodeTerminal } from '../../src/world/node-terminal.ts'
import { HttpError, readBodyText } from '../../src/world/http.ts'
import { repoDir } from '../shared.ts'
import { tempDir } from '../temp-dir.ts'

const failure = (code: string, errno?: number) => Object.assign(new Error(code), { code, errno })

test('a quota that is used up has its name, though Node knows only its number', () => {
  const error = failure('Unknown system error -122', process.platform === 'darwin' ? -69 : -122)
  assert.equal(errnoName(error), 'EDQUOT')
  assert.throws(
    () =>
      systemCall('append', '/a', () => {
        throw error
      }),
    { name: 'DiskError', code: 'EDQUOT', call: 'append', path: '/a' },
  )
})

test('a bug is not dressed up as a disk error', () => {
  const bug = new TypeError('x is not a function')
  assert.throws(
    () =>
      systemCall('read', '/a', () => {
        throw bug
      }),
    bug,
  )
})

/** How often a read was tried that is good from its `good`th time on. */
function tried(code: string, good: number): string {
  let count = 0
  try {
    readCall('read', '/a', () => {
      count += 1
      if (count < good) throw failure(code)
    })
  } catch {
    return `${count} and failed`
  }
  return `${count}`
}

test('a read is tried three times where the failure may pass, once where it will not', () => {
  assert.equal(tried('EBUSY', 3), '3')
  assert.equal(tried('EDEADLK', 9), '3 and failed')
  assert.equal(tried('EIO', 2), '1 and failed')
})

test(
  'a full device is ENOSPC, and the draft stays for its maker to see',
  { skip: process.platform !== 'linux' },
  () => {
    assert.throws(() => nodeDisk.append('/dev/full', Buffer.from('x')), { name: 'DiskError', code: 'ENOSPC' })
  },
)

test('a folder that may not be written says so', { skip: process.getuid?.() === 0 }, t => {
  const folder = tempDir(t)
  chmodSync(folder, 0o500)
  assert.throws(() => nodeDisk.create(join(folder, 'a'), Buffer.from('x')), { code: 'EACCES' })
})

test('a uuid is of version 7 and sorts by time, real and simulated', () => {
  let now = Date.parse('2026-03-02T08:30:00Z')
  for (const random of [nodeRandom(() => now), new SeededRandom(7, () => now)]) {
    const first = random.uuid()
    now += 1
    const second = random.uuid()
    assert.match(first, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.ok(first < second)
    assert.match(random.hex(7), /^[0-9a-f]{7}$/)
    const fraction = random.fraction()
    assert.ok(fraction >= 0 && fraction < 1)
  }
  assert.equal(new SeededRandom(3).hex(40), new SeededRandom(3).hex(40))
  assert.notEqual(new SeededRandom(3).hex(40), new SeededRandom(4).hex(40))
})

test('a clock that was set runs on from there', async () => {
  const start = Date.parse('2030-01-01T00:00:00Z')
  const clock = nodeClock(start)
  const before = clock.elapsed()
  await clock.sleep(15)
  assert.ok(clock.now() > start && clock.now() - start < 60_000)
  assert.ok(clock.elapsed() > before)
})

test('a sleep ends at once when it is aborted, without a throw', async () => {
  const abort = new AbortController()
  const asleep = nodeClock().sleep(2 ** 40, abort.signal)
  abort.abort()
  await asleep
  await nodeClock().sleep(2 ** 40, AbortSignal.abort())
})

test('virtual time passes by sleeping and telling, and a step is not seen by durations', async () => {
  const clock = new VirtualClock('2026-03-29T00:59:00Z')
  await clock.sleep(60_000)
  await clock.sleep(60_000, AbortSignal.abort())
  clock.set('2026-03-28T00:00:00Z')
  clock.advance(5)
  assert.equal(clock.now(), Date.parse('2026-03-28T00:00:00.005Z'))
  assert.equal(clock.elapsed(), 60_005)
  assert.deepEqual(clock.sleeps, [60_000, 60_000])
})

test('the start of a process is read behind a name with blanks and brackets', () => {
  const fields = Array.from({ length: 50 }, (_, index) => String(index + 3))
  assert.equal(startTicks(`4711 (a ) b (c) ${fields.join(' ')}`), '22')
  const { processStart, packageDir } = nodeHost()
  assert.match(processStart, /^\d+$/)
  assert.equal(join(packageDir, '/'), repoDir)
})

class FakeStream extends EventEmitter {
  text = ''
  isTTY = true
  columns = 0
  write(text: string): boolean {
    this.text += text
    return true
  }
}

function fakeTerminal(env: Record<string, string>) {
  const stdout = new FakeStream()
  const stderr = new FakeStream()
  const stdin = (async function* () {
    yield Buffer.from([0xe4, 0xb8])
    yield Buffer.from([0xad])
  })()
  const streams = { stdout, stderr, stdin } as unknown as Parameters<typeof nodeTerminal>[1]
  return { stdout, terminal: nodeTerminal(env, streams) }
}

test('colour needs a terminal that wants it', () => {
  assert.equal(fakeTerminal({}).terminal.color, true)
  assert.equal(fakeTerminal({ NO_COLOR: '1' }).terminal.color, false)
  assert.equal(fakeTerminal({ TERM: 'dumb' }).terminal.color, false)
  const { stdout, terminal } = fakeTerminal({})
  stdout.isTTY = false
  assert.equal(terminal.color, false)
  assert.equal(terminal.columns, 80)
})

test('what cannot be written is dropped; only a reader that has gone is no fault', async () => {
  const { stdout, terminal } = fakeTerminal({})
  terminal.out('one')
  stdout.emit('error', failure('EPIPE'))
  terminal.out('two')
  assert.equal(stdout.text, 'one')
  assert.equal(terminal.outFault, undefined)
  assert.equal(await terminal.readIn(), '中')
  const hungUp = fakeTerminal({})
  hungUp.terminal.out('one')
  hungUp.stdout.emit('error', failure('EIO'))
  hungUp.terminal.out('two')
  assert.equal(hungUp.stdout.text, 'one')
  assert.equal(hungUp.terminal.outFault, 'EIO')
  await hungUp.terminal.flushed?.()
})

test('a scripted network answers, breaks off and keeps what was asked', async () => {
  const times = { connectMs: 1, idleMs: 1, totalMs: 1 }
  const http = new ScriptHttp(({ url }) =>
    url.endsWith('/cut')
      ? { body: ['a', new HttpError('network', 'reset', true)] }
      : { status: 429, headers: { 'retry-after': '3' }, body: 'slow down' },
  )
  const answer = await http.request({ method: 'GET', url: 'http://x/', ...times })
  assert.equal(answer.status, 429)
  assert.equal(await readBodyText(answer), 'slow down')
  const cut = await http.request({ method: 'GET', url: 'http://x/cut', ...times })
  await assert.rejects(readBodyText(cut), { kind: 'network' })
  await assert.rejects(new ScriptHttp().request({ method: 'GET', url: 'http://x/', ...times }), {
    kind: 'connect',
  })
  assert.equal(http.requests.length, 2)
})
