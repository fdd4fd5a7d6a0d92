import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodeSpawn } from '../../src/world/node-spawn.ts'
import type { SpawnRequest } from '../../src/world/spawn.ts'
import { tempDir } from '../temp-dir.ts'

const env = { PATH: process.env['PATH'] ?? '' }

const shell = (script: string, more: Partial<SpawnRequest> = {}) =>
  nodeSpawn.run({
    argv: ['sh', '-c', script],
    cwd: '/',
    env,
    timeoutMs: 20_000,
    maxBytes: 1_000_000,
    ...more,
  })

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()

function isAlive(pidFile: string): boolean {
  const pid = Number(readFileSync(pidFile, 'utf8'))
  try {
    const state = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/.*\) /s, '')[0]
    return state !== 'Z'
  } catch {
    return false
  }
}

test('a program ends with its own exit code and both outputs', async () => {
  const reply = await shell('echo out; echo err >&2; exit 7')
  assert.deepEqual(reply.outcome, { kind: 'exited', exitCode: 7 })
  assert.equal(text(reply.stdout), 'out\n')
  assert.equal(text(reply.stderr), 'err\n')
})

test('arguments arrive as they are, and the environment is only what was given', async () => {
  const reply = await nodeSpawn.run({
    argv: ['sh', '-c', 'printf "%s|" "$@"; env | grep -c HOME', 'x', 'a b', '$HOME', '*'],
    cwd: '/',
    env,
    timeoutMs: 20_000,
    maxBytes: 1000,
  })
  assert.equal(text(reply.stdout), 'a b|$HOME|*|0\n')
})

test('stdin is closed unless given', async () => {
  assert.equal(text((await shell('cat; echo end')).stdout), 'end\n')
  assert.equal(text((await shell('cat', { stdin: 'given' })).stdout), 'given')
  const unread = await shell('exit 0', { stdin: 'x'.repeat(1_000_000) })
  assert.deepEqual(unread.outcome, { kind: 'exited', exitCode: 0 })
})

test('output is cut at the limit, counted whole, and never blocks the program', async () => {
  const reply = await shell('head -c 3000000 /dev/zero; echo done >&2', { maxBytes: 1000 })
  assert.equal(reply.stdout.length, 1000)
  assert.equal(reply.stdoutBytes, 3_000_000)
  assert.equal(text(reply.stderr), 'done\n')
})

test('what cannot start says why', async () => {
  for (const request of [{ argv: ['no-such-program'] as [string] }, { cwd: '/no/such/folder' }]) {
    const { outcome } = await shell('true', request)
    assert.equal(outcome.kind, 'not-started')
    assert.ok(
      outcome.kind === 'not-started' && /ENOENT|not exist|Invalid/.test(outcome.why),
      JSON.stringify(outcome),
    )
  }
})

test('a program that a signal ended is killed, never exit code 0', async () => {
  assert.deepEqual((await shell('kill -SEGV $$')).outcome, { kind: 'killed', signal: 'SIGSEGV' })
})

async function made(path: string): Promise<void> {
  while (!existsSync(path) || readFileSync(path, 'utf8') === '')
    await new Promise(resolve => setTimeout(resolve, 20))
}

const treeOf = (folder: string) => `
  (trap "" TERM; sh -c 'echo $$ > ${folder}/grandchild; exec sleep 60' & wait) &
  echo started; sleep 60`

test('at the limit the whole tree is gone, though it ignores SIGTERM and holds the pipe', async t => {
  const folder = tempDir(t)
  const reply = await shell(treeOf(folder), { timeoutMs: 400 })
  assert.deepEqual(reply.outcome, { kind: 'timed-out' })
  assert.equal(text(reply.stdout), 'started\n')
  assert.equal(isAlive(join(folder, 'grandchild')), false)
})

test('a limit that ends the program only is caught by the same look at its grandchild', async t => {
  const folder = tempDir(t)
  const child = spawn('sh', ['-c', treeOf(folder)], { detached: true, stdio: 'ignore' })
  t.after(() => process.kill(-child.pid!, 'SIGKILL'))
  await made(join(folder, 'grandchild'))
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal(isAlive(join(folder, 'grandchild')), true)
})

test('an abort ends the tree too, and is told as killed', async t => {
  const folder = tempDir(t)
  const abort = new AbortController()
  const running = shell(treeOf(folder), { signal: abort.signal })
  await made(join(folder, 'grandchild'))
  abort.abort()
  const { outcome } = await running
  assert.equal(outcome.kind, 'killed')
  assert.equal(isAlive(join(folder, 'grandchild')), false)
  const before = await shell('exit 0', { signal: AbortSignal.abort() })
  assert.equal(before.outcome.kind, 'killed')
})

test('a program that leaves a child holding the pipe still ends, and the child with it', async t => {
  const folder = tempDir(t)
  const reply = await shell(`sh -c 'echo $$ > ${folder}/left; exec sleep 60' & sleep 0.3; echo done`)
  assert.deepEqual(reply.outcome, { kind: 'exited', exitCode: 0 })
  assert.equal(text(reply.stdout), 'done\n')
  assert.equal(isAlive(join(folder, 'left')), false)
})
