import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isClawError } from '../../src/core/claw-error.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'
import { crc32 } from '../../src/store/log/crc32.ts'
import { type Held, withLock } from '../../src/store/lock.ts'
import { appendRecords, readLog, readLogTail } from '../../src/store/log.ts'
import { encodeLine } from '../../src/store/log/log-line.ts'
import { encodeText } from '../../src/store/text.ts'

const path = '/ws/log/events.jsonl'

const append = (world: SimWorld, records: object[], options = { kind: 'events' }) =>
  withLock(world, '/ws/lock', held => appendRecords(held, world.disk, path, records, options))

const withText = (text: string | Uint8Array) => simWorld({ files: { 'log/events.jsonl': text } })

test('the checksum is that of zlib', () => {
  assert.equal(crc32(encodeText('123456789')), 'cbf43926')
  assert.equal(crc32(encodeText('')), '00000000')
})

test('a new log begins with a header and each line carries its checksum', async () => {
  const world = simWorld()
  await append(world, [{ id: 1 }, { id: 'ä', nested: { a: [1] } }, {}])
  const lines = world.disk.text(path)?.split('\n') ?? []
  assert.equal(lines.length, 5)
  assert.match(lines[0] ?? '', /^\{"type":"log","kind":"events","version":1,"c":"[0-9a-f]{8}"\}$/)
  assert.equal(lines[1], `{"id":1,"c":"${crc32(encodeText('{"id":1}'))}"}`)
  const read = readLog(world.disk, path)
  assert.deepEqual(read.records, [{ id: 1 }, { id: 'ä', nested: { a: [1] } }, {}])
  assert.deepEqual([read.bad, read.torn, read.version, read.unchecked], [[], undefined, 1, 0])
})

test('a batch is one write, with the header in it', async () => {
  const world = simWorld()
  await append(world, [{ id: 1 }, { id: 2 }])
  assert.equal(world.disk.calls.filter(call => call.name === 'append').length, 1)
  await append(world, [{ id: 3 }])
  assert.equal(readLog(world.disk, path).records.length, 3)
  assert.equal(world.disk.text(path)?.split('"type":"log"').length, 2)
})

test('a log without a kind gets no header, an empty batch no file', async () => {
  const world = simWorld()
  await withLock(world, '/ws/lock', held => {
    appendRecords(held, world.disk, path, [])
    assert.equal(world.disk.text(path), undefined)
    appendRecords(held, world.disk, path, [{ type: 'session', version: 3 }])
  })
  assert.deepEqual(readLog(world.disk, path).records, [{ type: 'session', version: 3 }])
  assert.equal(readLog(world.disk, path).version, undefined)
})

test('an absent log is empty', () => {
  const { disk } = simWorld()
  assert.deepEqual(readLog(disk, path).records, [])
  assert.deepEqual(readLogTail(disk, path, 100).records, [])
})

const sealed = (id: number) => encodeLine({ id }).trimEnd()
const reading: Record<string, { text: string | Buffer; ids: unknown[]; bad?: string[]; unchecked?: number }> =
  {
    'records without a checksum are accepted and counted': {
      text: '{"id":1}\n{"id":2}\n',
      ids: [1, 2],
      unchecked: 2,
    },
    'a wrong checksum is bad': {
      text: `{"id":1,"c":"00000000"}\n${sealed(2)}\n`,
      ids: [2],
      bad: ['{"id":1,"c":"00000000"}'],
    },
    'blank lines and CRLF do not matter': { text: `\n${sealed(1)}\r\n\r\n  \n`, ids: [1] },
    'other spacing of a checked record is fine': { text: sealed(1).replaceAll(':', ': ') + '\n', ids: [1] },
    'NUL bytes are skipped': { text: `\0\0${sealed(1)}\0\n\0\0\0\n${sealed(2)}\n`, ids: [1, 2] },
    'a list or a number is no record': {
      text: '[1]\n5\nnull\n"x"\n',
      ids: [],
      bad: ['[1]', '5', 'null', '"x"'],
    },
    'glued whole records are both kept': { text: `${sealed(1)}${sealed(2)}\n`, ids: [1, 2] },
    'glued records without checksum are both kept': { text: '{"id":1}{"id":2}\n', ids: [1, 2], unchecked: 2 },
    'a fragment before a whole record is reported': {
      text: `{"id":1,"te${sealed(2)}\n`,
      ids: [2],
      bad: ['{"id":1,"te'],
    },
    'a fragment after a whole record is reported': {
      text: `${sealed(1)}{"id":2,"c\n`,
      ids: [1],
      bad: ['{"id":2,"c'],
    },
    'the inside of a damaged record is no record': {
      text: '{"id":1,"in":{"id":9},x}\n',
      ids: [],
      bad: ['{"id":1,"in":{"id":9},x}'],
    },
    'broken UTF-8 is bad where it is checked': {
      text: Buffer.concat([
        Buffer.from(sealed(1).slice(0, 5)),
        Buffer.from([0xff]),
        Buffer.from(`${sealed(1).slice(6)}\n`),
      ]),
      ids: [],
      bad: [
        Buffer.concat([
          Buffer.from(sealed(1).slice(0, 5)),
          Buffer.from([0xff]),
          Buffer.from(sealed(1).slice(6)),
        ]).toString(),
      ],
    },
    'an unterminated whole record counts': { text: '{"id":1}\n{"id":2}', ids: [1, 2], unchecked: 2 },
  }

for (const [sentence, { text, ids, bad = [], unchecked = 0 }] of Object.entries(reading)) {
  test(sentence, () => {
    const read = readLog(withText(text).disk, path)
    assert.deepEqual(
      read.records,
      ids.map(id => ({ id })),
    )
    assert.deepEqual(
      read.bad.map(line => line.text),
      bad,
    )
    assert.equal(read.unchecked, unchecked)
    assert.equal(read.torn, undefined)
  })
}

test('a torn last line is told apart and named once healed', async () => {
  const world = withText(`${sealed(1)}\n{"id":2,"wh`)
  assert.equal(readLog(world.disk, path).torn, '{"id":2,"wh')
  await append(world, [{ id: 3 }])
  assert.deepEqual(readLog(world.disk, path).records, [{ id: 1 }, { id: 3 }])
  assert.equal(world.disk.text(`${path}.torn`), '{"id":2,"wh\n')
})

test('a hand-written last line without newline is kept as a record', async () => {
  const world = withText('{"id":1}\n{"id":2}')
  await append(world, [{ id: 3 }])
  assert.deepEqual(readLog(world.disk, path).records, [{ id: 1 }, { id: 2 }, { id: 3 }])
  assert.equal(world.disk.text(`${path}.torn`), undefined)
})

test('a torn line longer than one look is healed whole', async () => {
  const torn = `{"id":2,"text":"${'x'.repeat(200_000)}`
  const world = withText(`${sealed(1)}\n${torn}`)
  await append(world, [{ id: 3 }])
  assert.equal(world.disk.text(`${path}.torn`), `${torn}\n`)
  assert.deepEqual(readLog(world.disk, path).records, [{ id: 1 }, { id: 3 }])
})

test('a tail holds the newest whole lines, whatever the window', async () => {
  const world = simWorld()
  await append(
    world,
    Array.from({ length: 50 }, (_, id) => ({ id })),
  )
  const all = readLog(world.disk, path).records
  for (let maxBytes = 1; maxBytes < 2000; maxBytes++) {
    const { records, bad, isWhole } = readLogTail(world.disk, path, maxBytes)
    assert.ok(records.length > 0 && bad.length === 0, `${maxBytes}`)
    assert.deepEqual(records, all.slice(-records.length))
    assert.equal(isWhole, maxBytes >= (world.disk.stat(path)?.sizeBytes ?? 0))
  }
})

test('a line longer than a chunk is read whole', async () => {
  const world = simWorld()
  await append(world, [{ text: 'x'.repeat(2_500_000) }, { id: 1 }])
  const [first, second] = readLog(world.disk, path).records
  assert.equal(JSON.stringify(first).length, 2_500_011)
  assert.deepEqual(second, { id: 1 })
  assert.deepEqual(readLogTail(world.disk, path, 100).records, [{ id: 1 }])
})

test('writing needs a lock that is still held', async () => {
  const world = simWorld()
  let leaked: Held | undefined
  await withLock(world, '/ws/lock', held => {
    leaked = held
  })
  assert.ok(leaked)
  const held = leaked
  assert.throws(() => appendRecords(held, world.disk, path, [{ id: 1 }]), /after the lock/)
})

test('a short write is taken back, exit 75', async () => {
  const world = withText(`${sealed(1)}\n`)
  world.disk.fault = { at: 3, kind: 'short' }
  await assert.rejects(
    append(world, [{ id: 2 }]),
    error => isClawError(error, 'not-recorded') && error.exitCode === 75,
  )
  assert.equal(world.disk.text(path), `${sealed(1)}\n`)
})

test('a failed fsync that cannot be taken back is not known, exit 74', async () => {
  const world = withText(`${sealed(1)}\n`)
  world.disk.fault = { at: 4, kind: 'EIO', sticky: true }
  await assert.rejects(
    append(world, [{ id: 2 }]),
    error => isClawError(error, 'not-known') && error.exitCode === 74,
  )
})
