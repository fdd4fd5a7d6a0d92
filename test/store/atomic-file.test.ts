import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { isClawError } from '../../src/core/claw-error.ts'
import { sweepCrashes } from '../../src/sim/crash-sweep.ts'
import { sweepErrors } from '../../src/sim/error-sweep.ts'
import { type SimWorld, simWorld } from '../../src/sim/sim-world.ts'
import { createFile, ensureDir, isDraft, replaceFile } from '../../src/store/atomic-file.ts'
import { notRecorded } from '../../src/store/recorded.ts'
import { encodeText, readText } from '../../src/store/text.ts'

const path = '/ws/a/state.json'
const start = () => simWorld({ files: { 'a/state.json': 'old' } })
const draftsIn = (world: SimWorld) => world.disk.paths('/ws').filter(name => name.endsWith('.draft'))

const oldOrNew = (world: SimWorld, where: string) => {
  const text = world.disk.text(path)
  assert.ok(text === 'old' || text === 'new', `${where}: ${text}`)
}
const isNew = (world: SimWorld, where: string) => assert.equal(world.disk.text(path), 'new', where)

type Write = (world: SimWorld) => void

const replaceSweep = (write: Write) => ({
  start,
  act: async (world: SimWorld) => write(world),
  between: oldOrNew,
  acked: isNew,
  check: isNew,
})

test('a replaced file is old or new after a crash at every call', async () => {
  const swept = await sweepCrashes(replaceSweep(world => replaceFile(world, path, 'new')))
  assert.ok(swept.points >= 4, `${swept.points} points`)
})

/** Checks that the exit code is true. */
const replaceTruly = async (world: SimWorld) => {
  try {
    replaceFile(world, path, 'new')
  } catch (error) {
    if (isClawError(error, 'not-recorded')) assert.equal(world.disk.text(path), 'old')
    else if (isClawError(error, 'not-known')) assert.equal(world.disk.text(path), 'new')
    throw error
  }
}

test('a replaced file is old or new after an error at every call, and the exit code is true', async () => {
  await sweepErrors({ ...replaceSweep(() => undefined), act: replaceTruly })
})

test('a failed write removes its draft and names file and reason', () => {
  const world = start()
  world.disk.fault = { at: 3, kind: 'ENOSPC' }
  assert.throws(
    () => replaceFile(world, path, 'new'),
    error =>
      isClawError(error, 'not-recorded') &&
      error.exitCode === 75 &&
      error.message === `${path}: nothing recorded, no space left on the disk (ENOSPC)`,
  )
  assert.deepEqual(draftsIn(world), [])
})

test('a name that could not be made safe is not known, exit 74', () => {
  const world = start()
  world.disk.fault = { at: 5, kind: 'EIO' }
  assert.throws(
    () => replaceFile(world, path, 'new'),
    error => isClawError(error, 'not-known') && error.exitCode === 74,
  )
})

/** Each is a mistake that the sweep above must catch. */
const brokenReplace: Record<string, Write> = {
  'no fsync of the draft': ({ disk }) => {
    disk.remove(`${path}.draft`)
    disk.create(`${path}.draft`, encodeText('new'))
    disk.rename(`${path}.draft`, path)
    disk.sync(dirname(path))
  },
  'no fsync of the folder after the rename': ({ disk }) => {
    disk.remove(`${path}.draft`)
    disk.create(`${path}.draft`, encodeText('new'))
    disk.sync(`${path}.draft`)
    disk.rename(`${path}.draft`, path)
  },
  'a write in place': ({ disk }) => {
    disk.truncate(path, 0)
    disk.append(path, encodeText('new'))
    disk.sync(path)
  },
  'an fsync only after the rename': ({ disk }) => {
    disk.remove(`${path}.draft`)
    disk.create(`${path}.draft`, encodeText('new'))
    disk.rename(`${path}.draft`, path)
    disk.sync(path)
    disk.sync(dirname(path))
  },
}

for (const [mistake, write] of Object.entries(brokenReplace)) {
  test(`the sweep catches ${mistake}`, () => assert.rejects(sweepCrashes(replaceSweep(write))))
}

const claim = '/ws/slots/x/slot'
const claimSweep = (act: (world: SimWorld) => boolean | void) => ({
  start: () => simWorld(),
  act: async (world: SimWorld) => void act(world),
  between: (world: SimWorld, where: string) =>
    assert.ok([undefined, 'who'].includes(world.disk.text(claim)), `${where}: ${world.disk.text(claim)}`),
  check: (world: SimWorld, where: string) => assert.equal(world.disk.text(claim), 'who', where),
})

test('a created file is complete or absent after a crash or an error at every call', async () => {
  await sweepCrashes(claimSweep(world => createFile(world, claim, 'who')))
  await sweepErrors(claimSweep(world => createFile(world, claim, 'who')))
})

test('the sweep catches a file that is created in place', () =>
  assert.rejects(
    sweepCrashes(
      claimSweep(({ disk }) => {
        ensureDir(disk, dirname(claim))
        disk.create(claim, encodeText('who'))
        disk.sync(claim)
        disk.sync(dirname(claim))
      }),
    ),
  ))

const createTruly = async (world: SimWorld) => {
  try {
    createFile(world, claim, 'who')
  } catch (error) {
    if (isClawError(error, 'not-recorded')) assert.equal(world.disk.text(claim), undefined)
    throw error
  }
}

test('not recorded means that a created file is not there', async () => {
  await sweepErrors({ ...claimSweep(() => undefined), act: createTruly })
})

test('creating is exclusive and leaves no draft', () => {
  const world = start()
  assert.equal(createFile(world, path, 'mine'), false)
  assert.equal(world.disk.text(path), 'old')
  assert.equal(createFile(world, '/ws/b/c/new', 'mine'), true)
  assert.deepEqual(world.disk.paths('/ws'), ['/ws/a/state.json', '/ws/b/c/new'])
})

test('a file that can be derived again is written without fsync', () => {
  const world = start()
  replaceFile(world, path, 'new', { durable: false, mode: 0o644 })
  assert.equal(world.disk.calls.filter(call => call.name === 'sync').length, 0)
  assert.equal(world.disk.stat(path)?.mode, 0o644)
  assert.equal(world.disk.text(path), 'new')
})

test('made folders survive a power loss at once', () => {
  const world = simWorld()
  ensureDir(world.disk, '/ws/x/y/z')
  world.reboot('power')
  assert.equal(world.disk.stat('/ws/x/y/z')?.kind, 'directory')
})

test('a folder whose entry could not be synced is taken back', () => {
  const world = simWorld()
  world.disk.fault = { at: 4, kind: 'EIO' }
  assert.throws(
    () => ensureDir(world.disk, '/ws/x'),
    error => isClawError(error, 'not-recorded'),
  )
  assert.equal(world.disk.stat('/ws/x'), undefined)
})

test('a draft is told from a file of the user by its name', () => {
  assert.equal(isDraft('f.json.0123abcd.draft'), true)
  assert.equal(isDraft('0123abcd.draft'), false)
  assert.equal(isDraft('f.json.draft'), false)
})

test('a file with the longest possible name can be replaced', () => {
  const world = start()
  const long = `/ws/a/${'n'.repeat(255)}`
  replaceFile(world, long, 'new')
  assert.ok(world.disk.calls.every(call => call.path.split('/').every(part => part.length <= 255)))
})

test('text keeps its BOM and never throws for broken UTF-8', () => {
  const world = simWorld({ files: { t: Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff]) } })
  assert.equal(readText(world.disk, '/ws/t'), '\ufeffa\ufffd')
  assert.equal(readText(world.disk, '/ws/absent'), undefined)
  assert.deepEqual([...encodeText('\ud800')], [0xef, 0xbf, 0xbd])
})

test('what is no disk failure is thrown on', () => {
  assert.throws(() => notRecorded(new TypeError('a bug'), path), TypeError)
})

test('the draft of another process is left alone when two choose the same name', () => {
  const world = simWorld({ files: { 'a.md': 'old' } })
  const [taken, free] = ['00000001', '00000002']
  const names = [taken, free]
  const random = { hex: () => names.shift() ?? free, uuid: () => '', fraction: () => 0 }
  world.disk.create(`/ws/a.md.${taken}.draft`, encodeText('of another'))
  replaceFile({ disk: world.disk, random }, '/ws/a.md', 'new')
  assert.equal(world.disk.text('/ws/a.md'), 'new')
  assert.equal(world.disk.text(`/ws/a.md.${taken}.draft`), 'of another')
})
