import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { isClawError } from '../../src/core/claw-error.ts'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'
import { sweepErrors } from '../../src/sim/error-sweep.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'
import { ensureDir } from '../../src/store/atomic-file.ts'
import { withLock } from '../../src/store/lock.ts'
import { appendRecords, readLog } from '../../src/store/log.ts'
import { encodeLine } from '../../src/store/log/log-line.ts'
import { encodeText } from '../../src/store/text.ts'

const path = '/ws/log/events.jsonl'
const before = encodeLine({ id: 1 })
const torn = '{"id":9,"te'

const starts: Record<string, () => SimWorld> = {
  'a new log': () => simWorld(),
  'a log with records': () => simWorld({ files: { 'log/events.jsonl': before } }),
  'a log with a torn tail': () => simWorld({ files: { 'log/events.jsonl': before + torn } }),
  'a log whose last record lacks its newline': () =>
    simWorld({ files: { 'log/events.jsonl': before.trimEnd() } }),
}

type Append = (world: SimWorld) => Promise<unknown>

const append: Append = world =>
  withLock(world, '/ws/lock', held => appendRecords(held, world.disk, path, [{ id: 2 }], { kind: 'events' }))

const idsOf = (world: SimWorld) =>
  readLog(world.disk, path).records.map(record => (record as { id: number }).id)

/** The next run repeats the record, as a caller does that was not told 0. */
const sweepOf = (start: () => SimWorld, act: Append) => {
  const hasBase = start().disk.text(path) !== undefined
  const hasTorn = start().disk.text(path)?.endsWith(torn) === true
  const base = hasBase ? [1] : []
  return {
    start,
    act,
    again: async (world: SimWorld) => {
      if (!idsOf(world).includes(2)) await act(world)
    },
    between: (world: SimWorld, where: string) => {
      const ids = idsOf(world)
      assert.ok([base.join(), [...base, 2].join()].includes(ids.join()), `${where}: ${ids.join()}`)
      assert.deepEqual(readLog(world.disk, path).bad, [], where)
    },
    acked: (world: SimWorld, where: string) => assert.deepEqual(idsOf(world), [...base, 2], where),
    check: (world: SimWorld, where: string) => {
      assert.deepEqual(idsOf(world), [...base, 2], where)
      assert.deepEqual(readLog(world.disk, path).bad, [], where)
      if (hasTorn)
        assert.ok(world.disk.text(`${path}.torn`)?.includes(torn), `${where}: the torn bytes are gone`)
    },
  }
}

/** Checks that an exit code of 75 is true. */
const appendTruly: Append = async world => {
  try {
    await append(world)
  } catch (error) {
    if (isClawError(error, 'not-recorded'))
      assert.equal(world.disk.text(path)?.includes('"id":2') ?? false, false)
    throw error
  }
}

for (const [name, start] of Object.entries(starts)) {
  test(`appending to ${name} survives a crash at every call`, async () => {
    await sweepCrashes(sweepOf(start, append))
  })

  test(`appending to ${name} survives an error at every call, and the exit code is true`, async () => {
    const swept = await sweepErrors(sweepOf(start, appendTruly))
    assert.ok(swept.runs > 50, `${swept.runs} runs`)
  })
}

const line = encodeText(encodeLine({ id: 2 }))
const broken: Record<string, { start: string; append: Append }> = {
  'no heal of a torn tail': {
    start: 'a log with a torn tail',
    append: async ({ disk }) => {
      disk.append(path, line)
      disk.sync(path)
    },
  },
  'a torn tail that is cut without keeping its bytes': {
    start: 'a log with a torn tail',
    append: async ({ disk }) => {
      disk.truncate(path, before.length)
      disk.append(path, line)
      disk.sync(path)
    },
  },
  'no fsync after the append': {
    start: 'a log with records',
    append: async ({ disk }) => disk.append(path, line),
  },
  'no fsync of the folder of a new log': {
    start: 'a new log',
    append: async ({ disk }) => {
      ensureDir(disk, dirname(path))
      disk.append(path, line)
      disk.sync(path)
    },
  },
}

for (const [mistake, { start, append }] of Object.entries(broken)) {
  test(`the sweep catches ${mistake}`, () =>
    assert.rejects(sweepCrashes(sweepOf(starts[start] ?? simWorld, append))))
}

const appendAndKeep: Append = async world => {
  const { disk } = world
  if (disk.append(path, line) < line.length) throw new Error('short')
  disk.sync(path)
}

test('the sweep catches an append that is not taken back', () => {
  return assert.rejects(
    sweepErrors({
      ...sweepOf(starts['a log with records'] ?? simWorld, appendAndKeep),
      outcome: () => undefined,
    }),
  )
})

const withFolder = () => simWorld({ files: { 'log/': '' } })

test('a process that died before the folder was synced does not cost the next record', async () => {
  const clean = withFolder()
  await append(clean)
  for (let at = 1; at <= clean.disk.calls.length; at++) {
    const world = withFolder()
    world.disk.fault = { at, kind: 'kill-after' }
    await assert.rejects(append(world))
    world.reboot('process')
    await append(world)
    world.reboot('power')
    assert.ok(idsOf(world).includes(2), `killed after call ${at}`)
  }
})
