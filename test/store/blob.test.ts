import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClawError } from '../../src/core/claw-error.ts'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'
import { sweepErrors } from '../../src/sim/error-sweep.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'
import { blobPath, putBlob, readBlob } from '../../src/store/blob.ts'
import { setAside } from '../../src/store/quarantine.ts'
import { sha256 } from '../../src/world/hash.ts'

const content = 'the text before'
const hash = sha256(content)

test('a blob is kept once under its hash', () => {
  const world = simWorld()
  assert.equal(putBlob(world, '/ws', content), hash)
  const { length } = world.disk.calls
  assert.equal(putBlob(world, '/ws', Buffer.from(content)), hash)
  assert.equal(
    world.disk.calls.slice(length).some(call => call.mutates),
    false,
  )
  assert.deepEqual(world.disk.paths('/ws'), [`/ws/.claw/blobs/${hash.slice(0, 2)}/${hash.slice(2)}`])
  assert.equal(Buffer.from(readBlob(world.disk, '/ws', hash) ?? []).toString(), content)
  assert.equal(readBlob(world.disk, '/ws', sha256('other')), undefined)
})

test('a damaged blob is told and mended when it is put again', () => {
  const world = simWorld({ files: { [blobPath('', hash)]: 'the text be' } })
  assert.throws(
    () => readBlob(world.disk, '/ws', hash),
    error => isClawError(error, 'corrupt'),
  )
  putBlob(world, '/ws', content)
  assert.ok(readBlob(world.disk, '/ws', hash))
})

test('a name that is no hash leads nowhere', () => {
  for (const name of ['', '../../etc/passwd', hash.slice(1), hash.toUpperCase(), `${hash}/..`]) {
    assert.throws(
      () => readBlob(simWorld().disk, '/ws', name),
      error => isClawError(error, 'not-found'),
    )
  }
})

test('a blob is whole or absent after a crash or an error at every call', async () => {
  const sweep = {
    start: () => simWorld(),
    act: async (world: SimWorld) => void putBlob(world, '/ws', content),
    between: (world: SimWorld) => void readBlob(world.disk, '/ws', hash),
    check: (world: SimWorld, where: string) => assert.ok(readBlob(world.disk, '/ws', hash), where),
  }
  await sweepCrashes(sweep)
  await sweepErrors(sweep)
})

const bad = '/ws/jobs/state.json'
const withBad = () => simWorld({ files: { 'jobs/state.json': '{"a":' } })

test('bytes are set aside once, with the reason, and stay where they are', () => {
  const world = withBad()
  const copy = setAside(world, '/ws', bad, 'unexpected end\nof it')
  assert.match(copy, /^\/ws\/\.claw\/quarantine\/20260302T000000\.000Z-state\.json-[0-9a-f]{8}$/)
  assert.equal(world.disk.text(copy), '{"a":')
  assert.equal(
    world.disk.text(`${copy}.why`),
    '2026-03-02T00:00:00.000Z jobs/state.json: unexpected end of it\n',
  )
  world.clock.advance(1000)
  assert.equal(setAside(world, '/ws', bad, 'again'), copy)
  assert.equal(world.disk.text(bad), '{"a":')
  assert.equal(world.disk.paths('/ws/.claw/quarantine').length, 2)
})

test('a file is moved aside only when asked', () => {
  const world = withBad()
  setAside(world, '/ws', bad, 'why', { move: true })
  assert.equal(world.disk.text(bad), undefined)
  assert.throws(
    () => setAside(world, '/ws', bad, 'why'),
    error => isClawError(error, 'not-found'),
  )
})

test('setting aside never loses the bytes, whatever happens', async () => {
  const sweep = {
    start: withBad,
    act: async (world: SimWorld) => {
      if (world.disk.text(bad) !== undefined) setAside(world, '/ws', bad, 'why', { move: true })
    },
    check: (world: SimWorld, where: string) => {
      const texts = world.disk.paths('/ws').map(path => world.disk.text(path))
      assert.ok(texts.includes('{"a":'), where)
    },
  }
  await sweepCrashes(sweep)
  await sweepErrors(sweep)
})

test('the sweep catches a move that does not copy first', () =>
  assert.rejects(
    sweepCrashes({
      start: withBad,
      act: async ({ disk }) => {
        const bytes = disk.read(bad)
        if (bytes === undefined) return
        disk.mkdir('/ws/aside')
        disk.remove(bad)
        disk.create('/ws/aside/state.json', bytes)
      },
      check: ({ disk }, where) =>
        assert.ok(
          disk.paths('/ws').some(path => disk.text(path) === '{"a":'),
          where,
        ),
    }),
  ))
