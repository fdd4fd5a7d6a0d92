import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'
import { withLock } from '../../src/store/lock.ts'
import {
  type SegmentUnit,
  appendToSegment,
  newestRecords,
  readSegments,
  segmentName,
} from '../../src/store/segments.ts'

const dir = '/ws/runs/ainews'
const at = (iso: string) => Date.parse(iso)

const append = (world: SimWorld, iso: string, ids: number[], unit: SegmentUnit = 'month') =>
  withLock(world, '/ws/lock', held =>
    appendToSegment(
      held,
      world.disk,
      dir,
      ids.map(id => ({ id })),
      { at: at(iso), unit, kind: 'runs' },
    ),
  )

const ids = (records: unknown[]) => records.map(record => (record as { id: number }).id)

async function threeMonths(): Promise<SimWorld> {
  const world = simWorld({ files: { 'runs/ainews/notes.md': 'not a segment' } })
  await append(world, '2026-10-31T23:59:59Z', [1, 2])
  await append(world, '2026-11-01T00:00:00Z', [3])
  await append(world, '2026-12-01T00:00:00Z', [4, 5])
  return world
}

test('a segment is named by the UTC date', () => {
  assert.equal(segmentName(at('2026-11-30T23:59:59.999Z'), 'month'), '2026-11.jsonl')
  assert.equal(segmentName(at('2026-12-01T00:00:00+01:00'), 'day'), '2026-11-30.jsonl')
})

test('segments are read oldest first, each with its header', async () => {
  const world = await threeMonths()
  assert.deepEqual(ids(readSegments(world.disk, dir).records), [1, 2, 3, 4, 5])
  assert.deepEqual(
    world.disk.paths(dir).map(path => path.slice(dir.length + 1)),
    ['2026-10.jsonl', '2026-11.jsonl', '2026-12.jsonl', 'notes.md'],
  )
})

const ranges: [string, { from?: string; to?: string }, number[]][] = [
  ['from a month', { from: '2026-11' }, [3, 4, 5]],
  ['to a month, inclusive', { to: '2026-11' }, [1, 2, 3]],
  ['one month', { from: '2026-11', to: '2026-11' }, [3]],
  ['from a day inside a month', { from: '2026-11-20' }, [3, 4, 5]],
  ['nothing', { from: '2027-01' }, []],
]
for (const [name, range, expected] of ranges) {
  test(`a range reads ${name}`, async () => {
    assert.deepEqual(ids(readSegments((await threeMonths()).disk, dir, range).records), expected)
  })
}

test('days are segments too', async () => {
  const world = simWorld()
  await append(world, '2026-11-29T10:00:00Z', [1], 'day')
  await append(world, '2026-11-30T10:00:00Z', [2], 'day')
  assert.deepEqual(ids(readSegments(world.disk, dir, { from: '2026-11-30' }).records), [2])
  assert.deepEqual(ids(readSegments(world.disk, dir, { to: '2026-11' }).records), [1, 2])
})

test('the newest records come oldest first, across segments', async () => {
  const { disk } = await threeMonths()
  for (let count = 0; count <= 6; count++) {
    assert.deepEqual(
      ids(newestRecords(disk, dir, count)),
      [1, 2, 3, 4, 5].slice(Math.max(0, 5 - count)),
      `${count}`,
    )
  }
  assert.deepEqual(newestRecords(disk, '/ws/absent', 3), [])
})

test('damage is reported with its segment', async () => {
  const world = simWorld({ files: { 'runs/ainews/2026-01.jsonl': '{"id":1}\nnonsense\n{"id":2' } })
  const read = readSegments(world.disk, dir)
  assert.deepEqual(read.bad, [{ path: `${dir}/2026-01.jsonl`, line: 2, text: 'nonsense' }])
  assert.deepEqual(read.torn, [{ path: `${dir}/2026-01.jsonl`, text: '{"id":2' }])
  assert.equal(read.unchecked, 1)
})

/** Bytes that a read of the ten newest costs after so many records a month. */
async function bytesRead(perMonth: number, months: number): Promise<number> {
  const world = simWorld()
  for (let month = 1; month <= months; month++) {
    const records = Array.from({ length: perMonth }, (_, id) => id)
    await append(world, `2026-${String(month).padStart(2, '0')}-01T00:00:00Z`, records)
  }
  let bytes = 0
  const { disk } = world
  const readRange = disk.readRange.bind(disk)
  disk.readRange = (path, offset, length) => {
    const part = readRange(path, offset, length)
    bytes += part?.length ?? 0
    return part
  }
  assert.equal(newestRecords(disk, dir, 10).length, 10)
  return bytes
}

test('the cost of the newest records does not grow with the history', async () => {
  const short = await bytesRead(2000, 1)
  const long = await bytesRead(20_000, 3)
  assert.ok(long <= short * 1.2, `${short} bytes, then ${long}`)
})
