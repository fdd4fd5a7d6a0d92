import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SeededRandom } from '../../src/sim/seeded-random.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'
import { withLock } from '../../src/store/lock.ts'
import { appendRecords, readLog } from '../../src/store/log.ts'
import { encodeLine } from '../../src/store/log/log-line.ts'

const path = '/ws/events.jsonl'
const record = (id: number) => ({
  type: 'task.opened',
  id,
  owner: 'möbius',
  note: 'a "quoted" {note}',
  at: [1, { b: 2 }],
})
const wholeLog = Buffer.from([0, 1, 2, 3, 4, 5, 6, 7].map(id => encodeLine(record(id))).join(''))
const lastStart = wholeLog.lastIndexOf(0x0a, wholeLog.length - 2) + 1

const worldWith = (bytes: Uint8Array) => simWorld({ files: { 'events.jsonl': bytes } })
const append = (world: SimWorld, id: number) =>
  withLock(world, '/ws/lock', held => appendRecords(held, world.disk, path, [record(id)]))
const idsOf = (world: SimWorld) =>
  readLog(world.disk, path).records.map(found => (found as { id: number }).id)

/** A store that reads and appends a log; the broken one lacks the heal. */
type Appends = (world: SimWorld, id: number) => Promise<unknown>

async function tornEverywhere(append: Appends): Promise<void> {
  for (let size = lastStart + 1; size < wholeLog.length; size++) {
    const world = worldWith(wholeLog.subarray(0, size))
    await append(world, 8)
    const isWhole = size === wholeLog.length - 1
    assert.deepEqual(
      idsOf(world),
      isWhole ? [0, 1, 2, 3, 4, 5, 6, 7, 8] : [0, 1, 2, 3, 4, 5, 6, 8],
      `cut at ${size}`,
    )
    assert.deepEqual(readLog(world.disk, path).bad, [], `cut at ${size}`)
    const kept = world.disk.read(`${path}.torn`)
    if (!isWhole)
      assert.deepEqual(
        Buffer.from(kept ?? []),
        Buffer.concat([wholeLog.subarray(lastStart, size), Buffer.from('\n')]),
      )
  }
}

test('a tail torn at every byte of the last record heals alone and its bytes are kept', () =>
  tornEverywhere(append))

test('the check catches an append that does not heal', () =>
  assert.rejects(
    tornEverywhere(async ({ disk }, id) => disk.append(path, Buffer.from(encodeLine(record(id))))),
  ))

/** Of 1,000 single flipped bits before the last record, those that a reader reports. */
function flipsFound(readBad: (world: SimWorld) => number): { found: number; cut: number } {
  const random = new SeededRandom(7, () => 0)
  let found = 0
  let cut = 0
  for (let round = 0; round < 1000; round++) {
    const bytes = Buffer.from(wholeLog)
    const at = Math.floor(random.fraction() * lastStart)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random.fraction() * 8))
    const world = worldWith(bytes)
    if (readBad(world) > 0) found++
    if (!Buffer.from(world.disk.read(path) ?? []).equals(bytes)) cut++
  }
  return { found, cut }
}

test('each of 1,000 flipped bits is found, and nothing is cut', () => {
  assert.deepEqual(
    flipsFound(world => readLog(world.disk, path).bad.length),
    { found: 1000, cut: 0 },
  )
})

test('every single flipped bit of a line is found', () => {
  const size = wholeLog.indexOf(0x0a) + 1
  for (let bit = 0; bit < size * 8; bit++) {
    const bytes = Buffer.from(wholeLog)
    bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    assert.ok(readLog(worldWith(bytes).disk, path).bad.length > 0, `bit ${bit & 7} of byte ${bit >> 3}`)
  }
})

const linesNotJson = (world: SimWorld) =>
  (world.disk.text(path) ?? '').trimEnd().split('\n').filter(isNotJson).length

function isNotJson(line: string): boolean {
  try {
    JSON.parse(line)
    return false
  } catch {
    return true
  }
}

test('the check catches a reader that only parses JSON', () => {
  assert.ok(flipsFound(linesNotJson).found < 900)
})

test('an append after damage elsewhere cuts nothing', async () => {
  const bytes = Buffer.from(wholeLog)
  bytes[20] = 0x01
  const world = worldWith(bytes)
  await append(world, 8)
  assert.ok(
    Buffer.from(world.disk.read(path) ?? [])
      .subarray(0, bytes.length)
      .equals(bytes),
  )
  assert.deepEqual(
    readLog(world.disk, path).bad.map(bad => bad.line),
    [1],
  )
})
