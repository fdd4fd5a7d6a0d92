import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { tempDir } from '../temp-dir.ts'
import { commandPath, workerPath } from './bundle.ts'
import { storePrograms } from './store-sweeps.ts'

interface SmallDisk {
  name: string
  worker: 'append-record' | 'claim-slot'
  options: string
  /** Remounted so before the first write. */
  first?: string
  /** How it becomes well again. */
  well: string
}

const disks: readonly SmallDisk[] = [
  { name: 'a full disk', worker: 'append-record', options: 'size=64k', well: 'size=8m' },
  {
    name: 'a disk without free inodes',
    worker: 'claim-slot',
    options: 'size=8m,nr_inodes=8',
    well: 'nr_inodes=500',
  },
  { name: 'a read-only disk', worker: 'append-record', options: 'size=8m', first: 'ro', well: 'rw' },
]

const reason = cannotMount()
if (reason !== undefined) console.log(`# left out: ${reason}`)
const skip = reason ?? false
let kinds = 0

for (const disk of disks) {
  test(
    `on ${disk.name} a write is refused in one line, what was there stays, and later it goes on`,
    { skip },
    async t => {
      const dir = mounted(t, disk.options)
      if (disk.first) remount(dir, disk.first)
      const worker = await workerPath(disk.worker)
      let acked = 0
      let ended = run(worker, dir, 'r0')
      while (ended.status === 0 && acked < 60) ended = run(worker, dir, `r${++acked}`)
      assert.equal(ended.status, 75, ended.stderr)
      assert.match(ended.stderr, /^claw: [^\n]+\n$/)
      assert.equal(idsIn(disk.worker, dir).length, acked)
      remount(dir, disk.well)
      assert.equal(run(worker, dir, `r${acked}`).status, 0)
      assert.equal(idsIn(disk.worker, dir).length, acked + 1)
      kinds++
    },
  )
}

test(
  'beyond a limit on the size of files a record is refused in one line and cut back',
  { skip: process.platform === 'win32' },
  async t => {
    const dir = tempDir(t)
    const worker = await workerPath('append-record')
    const limited = 'ulimit -f 12 && for n in 0 1 2 3 4; do "$0" "$1" "$2" r$n || exit $?; done'
    const ended = spawnSync('bash', ['-c', limited, process.execPath, worker, dir], { encoding: 'utf8' })
    assert.equal(ended.status, 75, ended.stderr)
    assert.match(ended.stderr, /^claw: [^\n]+\n$/)
    assert.equal(idsIn('append-record', dir).length, ended.stdout.trim().split('\n').length)
    kinds++
  },
)

test('a workspace that does not fit is refused in one line, and init finishes it later', { skip }, t => {
  const dir = mounted(t, 'size=128k')
  const team = join(dir, 'team')
  const refused = run(commandPath(), 'init', team, '--quiet')
  assert.equal(refused.status, 75, refused.stderr)
  assert.match(refused.stderr, /^claw: [^\n]+\(ENOSPC\)\n$/)
  remount(dir, 'size=8m')
  assert.equal(run(commandPath(), 'init', team).status, 0)
  const doctor = run(commandPath(), '-C', team, 'doctor')
  assert.equal(doctor.status, 0, doctor.stdout)
  console.log(`# R7 ${kinds} kinds of full or refusing disks and a command, 0 records lost`)
})

function run(program: string, ...argv: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [program, ...argv], { encoding: 'utf8' })
}

/** Throws for damage. */
function idsIn(worker: string, dir: string): string[] {
  const { ids, isTorn } = storePrograms.find(program => program.worker === worker)!.look(dir)
  assert.notEqual(isTorn, true)
  return ids
}

function mounted(t: TestContext, options: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'claw-disk-'))
  t.after(() => {
    execFileSync('umount', [dir])
    rmSync(dir, { recursive: true })
  })
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir])
  return dir
}

function remount(dir: string, options: string): void {
  execFileSync('mount', ['-o', `remount,${options}`, dir])
}

function cannotMount(): string | undefined {
  if (process.platform !== 'linux') return 'small disks are mounted on Linux only'
  if (process.getuid?.() !== 0) return 'only root may mount a small disk'
  const tried = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'])
  return tried.status === 0 ? undefined : 'this machine lets nobody mount a disk'
}
