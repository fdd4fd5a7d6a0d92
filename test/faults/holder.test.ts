import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { tempDir } from '../temp-dir.ts'
import { workerPath } from './bundle.ts'
import { runProgram, skipWithoutShim } from './shim.ts'
import { stopAtCall } from './stopped-holder.ts'
import { type StoreProgram, storePrograms } from './store-sweeps.ts'

const skip = skipWithoutShim()

const locking = storePrograms.filter(
  ({ worker, old, start }) =>
    worker !== 'claim-slot' && worker !== 'edit-shared' && old.length > 0 && start === undefined,
)

/** The twin: a lock that is taken over by its age. */
const byAge: StoreProgram = {
  ...locking.find(({ worker }) => worker === 'replace-file')!,
  worker: 'stale-lock',
}

const staleMs = 100
const env = { WAIT_MS: '200', STALE_MS: String(staleMs) }

interface Meeting {
  calls: number
  busy: number
  problems: string[]
}

let stops = 0

for (const program of locking) {
  for (const end of ['wakes', 'is killed'] as const) {
    test(
      `${program.worker} loses nothing when the holder sleeps at any call and then ${end}`,
      { skip },
      async t => {
        const { calls, busy, problems } = await meetAtEveryCall(t, program, end)
        assert.deepEqual(problems, [])
        assert.ok(busy >= 2, `only ${busy} of ${calls} stops held the other up`)
        stops += calls
      },
    )
  }
}

test('the same meeting catches a lock that is taken over by its age', { skip }, async t => {
  const { problems } = await meetAtEveryCall(t, byAge, 'wakes')
  assert.ok(
    problems.some(problem => problem.includes('lost')),
    problems.join('\n'),
  )
})

/** Two processes on one store: the first sleeps before its n-th call while the second tries, for each n. */
async function meetAtEveryCall(
  t: TestContext,
  program: StoreProgram,
  end: 'wakes' | 'is killed',
): Promise<Meeting> {
  const top = tempDir(t)
  const start = await startOf(program, top)
  const worker = await workerPath(program.worker)
  const counted = freshCopy(start, join(top, 'counted'))
  const { calls } = await runProgram({ argv: [worker, counted, 'first'], dir: counted, env })
  const meeting: Meeting = { calls: calls.length, busy: 0, problems: [] }
  for (let at = 1; at <= calls.length; at++) {
    const dir = freshCopy(start, join(top, String(at)))
    const { call, path } = calls[at - 1]!
    const found = await meet(program, { worker, dir, at, end })
    if (found.isBusy) meeting.busy++
    meeting.problems.push(
      ...found.problems.map(problem => `asleep before ${call} ${path.replace(counted, '.')}: ${problem}`),
    )
  }
  return meeting
}

interface Meet {
  worker: string
  dir: string
  at: number
  end: 'wakes' | 'is killed'
}

async function meet(
  program: StoreProgram,
  { worker, dir, at, end }: Meet,
): Promise<{ isBusy: boolean; problems: string[] }> {
  const holder = await stopAtCall([worker, dir, 'first'], dir, at, env)
  if (program === byAge) await sleep(staleMs * 1.5)
  const second = await runProgram({ argv: [worker, dir, 'second'], dir, env })
  const acked = second.exitCode === 0 ? ['second'] : []
  const problems: string[] = []
  if (second.exitCode === 6 && !isToldWho(second.stderr, holder.pid))
    problems.push(`it says ${second.stderr}`)
  if (second.exitCode !== 0 && second.exitCode !== 6)
    problems.push(`the second ends with ${second.exitCode}: ${second.stderr}`)
  if (end === 'wakes') {
    if ((await holder.wake()) === 0) acked.push('first')
  } else {
    await holder.kill()
    const next = await runProgram({ argv: [worker, dir, 'next'], dir, env })
    if (next.exitCode === 0) acked.push('next')
    else problems.push(`after a kill the next does not get in: ${next.stderr}`)
  }
  const { ids } = program.look(dir)
  for (const id of [...program.old, ...acked]) {
    const times = ids.filter(other => other === id).length
    if (times !== 1) problems.push(times === 0 ? `${id} is lost` : `${id} is doubled`)
  }
  return { isBusy: second.exitCode === 6, problems }
}

/** A lease whose holder fell asleep before it had signed cannot be told by pid. */
function isToldWho(stderr: string, pid: number): boolean {
  return stderr.includes(`held by pid ${pid} `)
    ? / since \d{4}-/.test(stderr)
    : /^claw: digest is busy, held by another process\n$/.test(stderr)
}

async function startOf(program: StoreProgram, top: string): Promise<string> {
  const dir = join(top, 'start')
  mkdirSync(dir)
  if (program === byAge) writeFileSync(join(dir, 'state.json'), JSON.stringify({ ids: program.old }))
  else await runProgram({ argv: [await workerPath(program.worker), dir, ...program.old], dir })
  program.start?.(dir)
  return dir
}

function freshCopy(from: string, to: string): string {
  cpSync(from, to, { recursive: true })
  return to
}

const noFaketime = spawnSync('faketime', ['--version']).error ? 'faketime is not installed' : false
if (noFaketime) console.log(`# left out: ${noFaketime}`)

const jumps = ['+1h', '-1h', '+1d', '-1d']

test(
  'no jump of the clock takes a lock or a lease from a sleeping holder',
  { skip: skip || noFaketime },
  async t => {
    for (const program of locking.filter(({ worker }) => worker !== 'append-record')) {
      for (const jump of jumps)
        assert.equal(await exitAfterJump(t, program, jump), 6, `${program.worker}, ${jump}`)
    }
    console.log(
      `# R8-R10 ${stops} stops of the holder, 0 lost updates, ${jumps.length * 2} clock jumps, 0 stolen`,
    )
  },
)

test(
  'the same jump is seen to take a lock that is judged by its age',
  { skip: skip || noFaketime },
  async t => {
    assert.equal(await exitAfterJump(t, byAge, '+1h', 600_000), 0)
  },
)

/** Exit code of a second process whose clock stands elsewhere, while the first sleeps in the middle. */
async function exitAfterJump(
  t: TestContext,
  program: StoreProgram,
  jump: string,
  age = staleMs,
): Promise<number | null> {
  const dir = await startOf(program, tempDir(t))
  const worker = await workerPath(program.worker)
  const times = { ...env, STALE_MS: String(age) }
  const lastOfAge = 2
  const holder = await stopAtCall([worker, dir, 'first'], dir, program === byAge ? lastOfAge : 5, times)
  assert.ok(holder.isStopped)
  const second = spawnSync('faketime', ['-f', jump, process.execPath, worker, dir, 'second'], {
    env: { ...process.env, ...times, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
    encoding: 'utf8',
  })
  await holder.kill()
  return second.status
}
