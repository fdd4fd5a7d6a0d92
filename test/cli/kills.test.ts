import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { MockModel } from '../mock-model.ts'
import { claw, clawJson, digest, edit, readIn, type Said, workspace } from './rig.ts'

const auto = [...digest, '--slot', 'auto']
const kills = 10

interface Run {
  run: string
  state: string
  reason: string
}

interface Place {
  root: string
  /** Texts that reached the other side. */
  received: () => number
}

async function withFileChannel(t: TestContext): Promise<Place> {
  const root = await workspace(t)
  const vault = join(root, 'vault/ainews')
  return { root, received: () => (existsSync(vault) ? readdirSync(vault).filter(isText).length : 0) }
}

function isText(name: string): boolean {
  return name.endsWith('.md')
}

/** Blind: what arrives twice is there twice. */
async function withBlindChannel(t: TestContext): Promise<Place> {
  const root = await workspace(t)
  edit(root, 'claw.yaml', '{type: file, path: vault/ainews}', '{type: scripted, path: ../channel}')
  const log = join(dirname(root), 'channel', 'received.jsonl')
  return {
    root,
    // A digest is several messages; the first of them stands for all.
    received: () => (existsSync(log) ? readFileSync(log, 'utf8').split('# Morning digest').length - 1 : 0),
  }
}

/** The run that the lease names: it had begun. */
function begun(root: string): string | undefined {
  const path = join(root, '.claw/leases/ainews.morning-digest')
  const owner = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const beside = existsSync(`${path}.owner`) ? readFileSync(`${path}.owner`, 'utf8') : ''
  return /"run":\s*"([^"]+)"/.exec(owner + beside)?.[1]
}

interface Life extends Said {
  /** From its first source to its end. */
  workMs: number
}

/** Runs the digest; a delay counts from its first source, when it has been admitted. */
async function life(root: string, killAfterMs?: number): Promise<Life> {
  let workedAt = performance.now()
  const end = await claw(auto, {
    cwd: root,
    onStart: child =>
      child.stderr?.once('data', () => {
        workedAt = performance.now()
        if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
      }),
  })
  return { ...end, workMs: performance.now() - workedAt }
}

async function killedAndRepeated({ root, received }: Place, delayMs: number): Promise<Life> {
  const first = await life(root, delayMs)
  const dead = begun(root)
  const [second, { err }] = await clawJson<Run>(auto, { cwd: root })
  const [runs] = await clawJson<Run[]>(['runs'], { cwd: root })
  const where = `killed after ${delayMs.toFixed(0)} ms (${first.signal ?? 'had ended'}), then ${second.state}: ${second.reason} ${err}`
  assert.ok(received() <= 1, `delivered ${received()} times, ${where}`)
  assert.equal(runs.filter(run => run.state === 'ok').length, 1, where)
  // One that was killed after it had let its lease go had done everything.
  if (first.signal !== null && dead === undefined) assert.match(second.reason, /ran already/, where)
  if (first.signal !== null && dead !== undefined) {
    assert.match(runs.find(run => run.run === dead)?.state ?? 'no record', /^(ok|crashed)$/, where)
  }
  if (received() === 0) {
    const [open] = await clawJson<{ state: string }[]>(['outbox', 'list'], { cwd: root })
    assert.equal(open[0]?.state, 'unknown', `neither delivered nor shown, ${where}`)
  }
  return first
}

for (const [channel, place] of [
  ['a file channel', withFileChannel],
  ['a blind channel', withBlindChannel],
] as const) {
  test(`killed at any moment and run again, ${channel} gets the digest once and each run has its record`, async t => {
    const whole = await place(t)
    let { workMs } = await life(whole.root)
    assert.equal(whole.received(), 1)
    let killed = 0
    for (let index = 0; index < kills; index += 1) {
      const first = await killedAndRepeated(await place(t), (workMs * index) / kills)
      if (first.signal === null) workMs = Math.min(workMs, first.workMs)
      else killed += 1
    }
    console.log(`# ${killed} of ${kills} died, of ${workMs.toFixed(0)} ms of work`)
    assert.ok(killed > kills / 3, `${killed} died`)
  })
}

test('what counts deliveries sees a second one', async t => {
  const { root, received } = await withBlindChannel(t)
  await claw(digest, { cwd: root })
  await claw(digest, { cwd: root })
  assert.equal(received(), 2)
})

test('of two runs at once one is skipped and names the other, and nothing is sent twice', async t => {
  const { root, received } = await withFileChannel(t)
  const waiting: (() => void)[] = []
  let onAsked = (): void => {}
  const first = new Promise<void>(resolve => (onAsked = resolve))
  const model = new MockModel(async () => {
    onAsked()
    await new Promise<void>(resolve => waiting.push(resolve))
    return { status: 500, body: {} }
  })
  const baseUrl = await model.listen()
  t.after(() => model.close())
  edit(
    root,
    'claw.yaml',
    '  providers:\n',
    `  providers:\n    mock: {api: openai-chat, baseUrl: "${baseUrl}"}\n`,
  )
  edit(root, 'claw.yaml', 'routine: []', 'routine: [mock/m]')
  const slow = clawJson<Run>(auto, { cwd: root })
  await first
  const [second, { code }] = await clawJson<Run>(auto, { cwd: root })
  assert.equal(code, 0)
  assert.equal(second.state, 'skipped')
  assert.match(second.reason, /^still running \(run \d{8}-\d{6}-[0-9a-f]{6}, pid \d+, since /)
  const release = setInterval(() => waiting.splice(0).forEach(go => go()), 20)
  t.after(() => clearInterval(release))
  const [done] = await slow
  assert.equal(done.state, 'ok')
  assert.ok(second.reason.includes(done.run))
  assert.equal(received(), 1)
  assert.match(readIn(root, 'shared-context/agent-runs/ainews/2026-11.jsonl'), /still running/)
})
