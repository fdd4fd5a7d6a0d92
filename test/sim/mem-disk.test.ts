import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemDisk } from '../../src/sim/mem-disk.ts'
import { ProcessDeath } from '../../src/sim/process-death.ts'
import { DiskError } from '../../src/world/disk.ts'

const bytes = (text: string) => Buffer.from(text)
const start = () => MemDisk.fromTree({ 'a.txt': 'old', 'd/': '' }, '/ws')

const afterPower: Record<string, { act: (disk: MemDisk) => unknown; left: Record<string, string> }> = {
  'a new file that was synced, but not its folder, is gone': {
    act: disk => {
      disk.create('/ws/b.txt', bytes('new'))
      disk.sync('/ws/b.txt')
    },
    left: { '/ws/a.txt': 'old' },
  },
  'a new file whose folder was synced, but not itself, is empty': {
    act: disk => {
      disk.create('/ws/b.txt', bytes('new'))
      disk.sync('/ws')
    },
    left: { '/ws/a.txt': 'old', '/ws/b.txt': '' },
  },
  'an append without fsync is gone': {
    act: disk => disk.append('/ws/a.txt', bytes(' and new')),
    left: { '/ws/a.txt': 'old' },
  },
  'an append with fsync stays': {
    act: disk => {
      disk.append('/ws/a.txt', bytes(' and new'))
      disk.sync('/ws/a.txt')
    },
    left: { '/ws/a.txt': 'old and new' },
  },
  'a rename over a file without fsync of the folder leaves the old one, and the draft is gone': {
    act: disk => {
      disk.create('/ws/draft', bytes('new'))
      disk.sync('/ws/draft')
      disk.rename('/ws/draft', '/ws/a.txt')
    },
    left: { '/ws/a.txt': 'old' },
  },
  'a removal without fsync of the folder comes back': {
    act: disk => disk.remove('/ws/a.txt'),
    left: { '/ws/a.txt': 'old' },
  },
  'a move between folders of which only the target was synced shows in both': {
    act: disk => {
      disk.rename('/ws/a.txt', '/ws/d/a.txt')
      disk.sync('/ws/d')
    },
    left: { '/ws/a.txt': 'old', '/ws/d/a.txt': 'old' },
  },
  'a folder that was synced, but not its own entry, is gone with all in it': {
    act: disk => {
      disk.mkdir('/ws/n')
      disk.create('/ws/n/f', bytes('x'))
      disk.sync('/ws/n/f')
      disk.sync('/ws/n')
    },
    left: { '/ws/a.txt': 'old' },
  },
}

const contents = (disk: MemDisk) => Object.fromEntries(disk.paths().map(path => [path, disk.text(path)]))

for (const [name, { act, left }] of Object.entries(afterPower)) {
  test(`after lost power ${name}`, () => {
    const disk = start()
    act(disk)
    const killed = disk.clone()
    const live = contents(disk)
    disk.reboot('power')
    assert.deepEqual(contents(disk), left)
    killed.reboot('process')
    assert.deepEqual(contents(killed), live, 'a killed process loses nothing of what it wrote')
  })
}

test('lost power may keep names and lengths and half of the bytes', () => {
  const disk = start()
  disk.append('/ws/a.txt', bytes('123456'))
  const entries = disk.clone()
  disk.reboot('power-torn')
  assert.equal(disk.text('/ws/a.txt'), 'old123\0\0\0')
  entries.create('/ws/b', bytes('new'))
  entries.reboot('power-entries')
  assert.deepEqual(contents(entries), { '/ws/a.txt': 'old', '/ws/b': '' })
})

test('every call is numbered, and those that change something are told apart', () => {
  const disk = start()
  disk.read('/ws/a.txt')
  disk.create('/ws/b', bytes(''))
  assert.deepEqual(disk.calls, [
    { number: 1, name: 'read', path: '/ws/a.txt', mutates: false },
    { number: 2, name: 'create', path: '/ws/b', mutates: true },
  ])
})

test('a dead process can do nothing more until the reboot', () => {
  const disk = start()
  disk.fault = { at: 2, kind: 'torn' }
  disk.read('/ws/a.txt')
  assert.throws(() => disk.append('/ws/a.txt', bytes('1234')), ProcessDeath)
  assert.throws(() => disk.read('/ws/a.txt'), ProcessDeath)
  assert.equal(disk.view().read('/ws/a.txt')?.length, 5, 'another process lives on')
  disk.reboot()
  assert.equal(Buffer.from(disk.read('/ws/a.txt') ?? '').toString(), 'old12')
})

test('an error strikes once, or for good where it can', () => {
  const disk = start()
  disk.fault = { at: 1, kind: 'ENOSPC' }
  assert.throws(() => disk.create('/ws/b', bytes('x')), { code: 'ENOSPC' })
  assert.equal(disk.create('/ws/b', bytes('x')), true)
  disk.reboot()
  disk.fault = { at: 1, kind: 'ENOSPC', sticky: true }
  assert.throws(() => disk.create('/ws/c', bytes('x')), { code: 'ENOSPC' })
  assert.throws(() => disk.append('/ws/b', bytes('x')), DiskError)
  assert.equal(disk.remove('/ws/b'), true, 'a full disk still removes')
  assert.ok(disk.read('/ws/a.txt'))
})

test('a short write tells its count, a short create throws and leaves its half', () => {
  const disk = start()
  disk.fault = { at: 1, kind: 'short', sticky: true }
  assert.equal(disk.append('/ws/a.txt', bytes('1234')), 2)
  assert.throws(() => disk.create('/ws/b', bytes('1234')), { code: 'ENOSPC' })
  assert.equal(disk.text('/ws/b'), '12')
})

test('a repeated fsync after a failed one saves nothing', () => {
  const disk = start()
  disk.append('/ws/a.txt', bytes('123'))
  disk.fault = { at: 2, kind: 'EIO' }
  assert.throws(() => disk.sync('/ws/a.txt'), { code: 'EIO' })
  disk.append('/ws/a.txt', bytes('45'))
  disk.sync('/ws/a.txt')
  const cut = disk.clone()
  disk.reboot('power')
  assert.equal(disk.text('/ws/a.txt'), 'old\0\0\x0045')
  cut.truncate('/ws/a.txt', 3)
  cut.append('/ws/a.txt', bytes('again'))
  cut.sync('/ws/a.txt')
  cut.reboot('power')
  assert.equal(cut.text('/ws/a.txt'), 'oldagain')
})

test('a clone shares nothing that changes, and hard links stay one file', () => {
  const disk = start()
  disk.link('/ws/a.txt', '/ws/b.txt')
  const copy = disk.clone()
  copy.append('/ws/a.txt', bytes('!'))
  assert.equal(copy.text('/ws/b.txt'), 'old!')
  assert.equal(disk.text('/ws/b.txt'), 'old')
})
