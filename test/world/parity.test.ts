import assert from 'node:assert/strict'
import { symlinkSync } from 'node:fs'
import { test } from 'node:test'
import { MemDisk } from '../../src/sim/mem-disk.ts'
import { type Disk, DiskError } from '../../src/world/disk.ts'
import { nodeDisk } from '../../src/world/node-disk.ts'
import { tempDir } from '../temp-dir.ts'

interface Subject {
  disk: Disk
  root: string
  symlink: (target: string, path: string) => void
}

type Step = (subject: Subject) => unknown

const bytes = (text: string) => Buffer.from(text)
const text = (found: Uint8Array | undefined) => found && Buffer.from(found).toString()
const statOf = (disk: Disk, path: string, call: 'stat' | 'lstat' = 'stat') => {
  const stat = disk[call](path)
  return stat && { kind: stat.kind, mode: stat.mode, size: stat.kind === 'file' ? stat.sizeBytes : 0 }
}

const steps: Record<string, Step> = {
  'read of what is absent': ({ disk, root }) => disk.read(`${root}/none`),
  'create a file': ({ disk, root }) => disk.create(`${root}/a`, bytes('hello')),
  'create it again': ({ disk, root }) => disk.create(`${root}/a`, bytes('other')),
  'read it': ({ disk, root }) => text(disk.read(`${root}/a`)),
  'stat it': ({ disk, root }) => statOf(disk, `${root}/a`),
  'create with a mode': ({ disk, root }) => disk.create(`${root}/m`, bytes(''), 0o640),
  'stat the mode': ({ disk, root }) => statOf(disk, `${root}/m`),
  'create in an absent folder': ({ disk, root }) => disk.create(`${root}/none/a`, bytes('')),
  'create below a file': ({ disk, root }) => disk.create(`${root}/a/b`, bytes('')),
  append: ({ disk, root }) => disk.append(`${root}/a`, bytes(' there')),
  'append to what is absent': ({ disk, root }) => disk.append(`${root}/log`, bytes('1\n')),
  'stat what append made': ({ disk, root }) => statOf(disk, `${root}/log`),
  'append to a folder': ({ disk, root }) => disk.append(root, bytes('x')),
  'range in the middle': ({ disk, root }) => text(disk.readRange(`${root}/a`, 6, 3)),
  'range past the end': ({ disk, root }) => text(disk.readRange(`${root}/a`, 9, 100)),
  'range beyond': ({ disk, root }) => text(disk.readRange(`${root}/a`, 900, 5)),
  'range of what is absent': ({ disk, root }) => disk.readRange(`${root}/none`, 0, 5),
  'read of a folder': ({ disk, root }) => disk.read(root),
  'read below a file': ({ disk, root }) => disk.read(`${root}/a/b`),
  'stat below a file': ({ disk, root }) => disk.stat(`${root}/a/b`),
  'list of a file': ({ disk, root }) => disk.list(`${root}/a`),
  'list of what is absent': ({ disk, root }) => disk.list(`${root}/none`),
  truncate: ({ disk, root }) => disk.truncate(`${root}/a`, 4),
  'truncate to longer': ({ disk, root }) => disk.truncate(`${root}/log`, 4),
  'read the NULs': ({ disk, root }) => text(disk.read(`${root}/log`)),
  'truncate what is absent': ({ disk, root }) => disk.truncate(`${root}/none`, 4),
  mkdir: ({ disk, root }) => disk.mkdir(`${root}/d`),
  'mkdir again': ({ disk, root }) => disk.mkdir(`${root}/d`),
  'mkdir over a file': ({ disk, root }) => disk.mkdir(`${root}/a`),
  'mkdir in what is absent': ({ disk, root }) => disk.mkdir(`${root}/x/y`),
  'stat a folder': ({ disk, root }) => statOf(disk, `${root}/d`),
  link: ({ disk, root }) => disk.link(`${root}/a`, `${root}/d/hard`),
  'link again': ({ disk, root }) => disk.link(`${root}/a`, `${root}/d/hard`),
  'link of what is absent': ({ disk, root }) => disk.link(`${root}/none`, `${root}/d/h2`),
  'link of a folder': ({ disk, root }) => disk.link(`${root}/d`, `${root}/d2`),
  'a hard link is one file': ({ disk, root }) =>
    disk.stat(`${root}/a`)?.id === disk.stat(`${root}/d/hard`)?.id,
  symlink: ({ symlink, root }) => symlink('d', `${root}/soft`),
  'dangling symlink': ({ symlink, root }) => symlink('nowhere', `${root}/dangling`),
  'symlink to itself': ({ symlink, root }) => symlink('loop', `${root}/loop`),
  'read through a link': ({ disk, root }) => text(disk.read(`${root}/soft/hard`)),
  'lstat a link': ({ disk, root }) => disk.lstat(`${root}/soft`)?.kind,
  'stat a link': ({ disk, root }) => statOf(disk, `${root}/soft`),
  'stat a dangling link': ({ disk, root }) => disk.stat(`${root}/dangling`),
  'read a dangling link': ({ disk, root }) => disk.read(`${root}/dangling`),
  'create over a dangling link': ({ disk, root }) => disk.create(`${root}/dangling`, bytes('x')),
  'mkdir over a link to a folder': ({ disk, root }) => disk.mkdir(`${root}/soft`),
  'rmdir of a link to a folder': ({ disk, root }) => disk.rmdir(`${root}/soft`),
  'read of a loop': ({ disk, root }) => disk.read(`${root}/loop`),
  'realpath through a link': ({ disk, root }) =>
    disk.realpath(`${root}/soft/../soft/hard`)?.slice(root.length),
  'realpath of what is absent': ({ disk, root }) => disk.realpath(`${root}/none/x`),
  'append through a dangling link': ({ disk, root }) => disk.append(`${root}/dangling`, bytes('made')),
  'read what that made': ({ disk, root }) => text(disk.read(`${root}/nowhere`)),
  list: ({ disk, root }) => disk.list(root),
  rename: ({ disk, root }) => disk.rename(`${root}/log`, `${root}/d/log`),
  'rename over a file': ({ disk, root }) => disk.rename(`${root}/d/log`, `${root}/m`),
  'rename of what is absent': ({ disk, root }) => disk.rename(`${root}/none`, `${root}/x`),
  'rename onto its own hard link': ({ disk, root }) => disk.rename(`${root}/a`, `${root}/d/hard`),
  'both are still there': ({ disk, root }) => [statOf(disk, `${root}/a`), statOf(disk, `${root}/d/hard`)],
  'rename a file over a folder': ({ disk, root }) => disk.rename(`${root}/a`, `${root}/d`),
  'rename a folder over a file': ({ disk, root }) => disk.rename(`${root}/d`, `${root}/a`),
  'rename a folder into itself': ({ disk, root }) => disk.rename(`${root}/d`, `${root}/d/in`),
  'make an empty folder': ({ disk, root }) => disk.mkdir(`${root}/e`),
  'rename over a full folder': ({ disk, root }) => disk.rename(`${root}/e`, `${root}/d`),
  'rename over an empty folder': ({ disk, root }) => disk.rename(`${root}/d`, `${root}/e`),
  'rename a link, not its target': ({ disk, root }) => disk.rename(`${root}/soft`, `${root}/softer`),
  chmod: ({ disk, root }) => disk.chmod(`${root}/a`, 0o444),
  'stat after chmod': ({ disk, root }) => statOf(disk, `${root}/a`),
  'chmod of what is absent': ({ disk, root }) => disk.chmod(`${root}/none`, 0o600),
  'sync a file': ({ disk, root }) => disk.sync(`${root}/a`),
  'sync a folder': ({ disk, root }) => disk.sync(root),
  'sync what is absent': ({ disk, root }) => disk.sync(`${root}/none`),
  'rmdir of a full folder': ({ disk, root }) => disk.rmdir(`${root}/e`),
  'rmdir of a file': ({ disk, root }) => disk.rmdir(`${root}/a`),
  'rmdir of what is absent': ({ disk, root }) => disk.rmdir(`${root}/none`),
  remove: ({ disk, root }) => disk.remove(`${root}/e/hard`),
  'remove again': ({ disk, root }) => disk.remove(`${root}/e/hard`),
  'remove a link': ({ disk, root }) => disk.remove(`${root}/softer`),
  'remove a folder': ({ disk, root }) => disk.remove(`${root}/e`),
  'remove below a file': ({ disk, root }) => disk.remove(`${root}/a/b`),
  rmdir: ({ disk, root }) => disk.rmdir(`${root}/e`),
  'list at the end': ({ disk, root }) => disk.list(root),
}

function resultsOf(subject: Subject): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(steps).map(([name, step]) => {
      try {
        return [name, step(subject)]
      } catch (error) {
        if (!(error instanceof DiskError)) throw error
        return [name, `${error.code} ${error.call} ${error.path.slice(subject.root.length)}`]
      }
    }),
  )
}

test('the simulated disk answers every call as the real one does', t => {
  const root = nodeDisk.realpath(tempDir(t)) ?? ''
  const real = resultsOf({ disk: nodeDisk, root, symlink: symlinkSync })
  const disk = MemDisk.fromTree({}, '/ws')
  const simulated = resultsOf({
    disk,
    root: '/ws',
    symlink: (target, path) => disk.symlink(target, path),
  })
  assert.deepEqual(simulated, real)
  assert.equal(real['read of a loop'], 'ELOOP read /loop')
  assert.equal(real['create a file'], true)
})
