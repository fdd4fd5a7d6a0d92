import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { minuteMs } from '../../src/core/millis.ts'
import type { MemDisk } from '../../src/sim/mem-disk.ts'
import { DiskError } from '../../src/world/disk.ts'
import { jobText, nextProcess, type Rig, root, warmUp } from './command-rig.ts'
import { assertSound, runsOf } from './sound.ts'
import { soleJob, tick, tickRig } from './tick-rig.ts'

before(warmUp)

const now = '2026-11-30T00:29:05Z'
const within = 'catchup: {policy: latest, within: 8h}'

/** From now on no process can write below this folder, until the returned function is called. */
function fullBelow({ world }: Rig, folder: string): () => void {
  let isFull = true
  const refuse = (call: string, path: string): void => {
    if (isFull && path.startsWith(folder)) throw new DiskError('ENOSPC', call, path)
  }
  const narrow = (disk: MemDisk): MemDisk => {
    const { create, mkdir, view } = disk
    disk.create = (path, ...rest) => {
      refuse('create', path)
      return create.call(disk, path, ...rest)
    }
    disk.mkdir = (path, ...rest) => {
      refuse('mkdir', path)
      return mkdir.call(disk, path, ...rest)
    }
    disk.view = () => narrow(view.call(disk))
    return disk
  }
  narrow(world.disk)
  return () => {
    isFull = false
  }
}

/** Ticks each minute; returns in which of them a process was started, and all that was said. */
async function minutes(made: Rig, count: number): Promise<{ startedIn: number[]; warnings: string[] }> {
  const startedIn: number[] = []
  const warnings: string[] = []
  for (let minute = 1; minute <= count; minute++) {
    let started = 0
    const launch: Rig['ports']['launch'] = argv => {
      started += 1
      return made.ports.launch(argv)
    }
    const { err } = await tick({ ...nextProcess(made), ports: { ...made.ports, launch } })
    if (started > 0) startedIn.push(minute)
    warnings.push(...err.split('\n').filter(line => line.startsWith('warning:')))
  }
  return { startedIn, warnings }
}

test('a job whose slot cannot be claimed is started less and less often, and told once', async () => {
  const made = soleJob([within], { now })
  await tick(made)
  fullBelow(made, `${root}/.claw/slots/ann`)
  const { startedIn, warnings } = await minutes(made, 100)
  const gaps = startedIn.slice(1).map((minute, index) => minute - startedIn[index]!)
  assert.deepEqual(gaps, [1, 2, 4, 8, 16, 30, 30])
  assert.equal(warnings.length, 1, warnings.join('\n'))
  assert.match(warnings[0]!, /ann\/list, slot \S+: exit 75: .*no space left/)
})

test('as soon as the disk takes a claim the job runs, whatever is left of its pause', async () => {
  const made = soleJob([within], { now })
  await tick(made)
  const free = fullBelow(made, `${root}/.claw/slots/ann`)
  await minutes(made, 40)
  free()
  const { startedIn } = await minutes(made, 1)
  assert.deepEqual(startedIn, [1])
  assert.deepEqual(
    runsOf(made).map(({ state }) => state),
    ['ok'],
  )
  assert.deepEqual((await minutes(made, 5)).startedIn, [])
  assert.deepEqual(
    made.world.disk.paths(`${root}/.claw/slots`).filter(path => path.includes('.probe')),
    [],
  )
  await assertSound(made, 'after the disk was full')
})

test('a tick that forgets the pause starts a process each minute', async () => {
  const made = soleJob([within], { now })
  await tick(made)
  fullBelow(made, `${root}/.claw/slots/ann`)
  let started = 0
  for (let minute = 0; minute < 20; minute++) {
    const { disk } = made.world
    const index = `${root}/.claw/index/due.json`
    if (disk.text(index) !== undefined) disk.remove(index)
    started += (await minutes(made, 1)).startedIn.length
  }
  assert.ok(started > 15, `${started}`)
})

test('one job whose misses cannot be recorded does not keep the others from their slots', async () => {
  const made = tickRig({
    now,
    files: { 'agents/ann/jobs/blind.md': jobText(['catchup: {policy: none}'], 'blind') },
  })
  await tick(made)
  const free = fullBelow(made, `${root}/.claw/slots/ann/blind`)
  made.world.clock.advance(10 * minuteMs)
  const { err, exitCode } = await tick(nextProcess(made, 0))
  assert.equal(exitCode, 75)
  assert.match(err, /slots\/ann\/blind.*nothing recorded, no space left/)
  assert.equal((await tick(nextProcess(made))).err, '', 'told once')
  assert.deepEqual(
    runsOf(made).map(({ job, state }) => `${job} ${state}`),
    ['list ok'],
  )
  free()
  await tick(nextProcess(made))
  assert.deepEqual(
    runsOf(made).map(({ job, state }) => `${job} ${state}`),
    ['list ok', 'blind skipped'],
  )
})
