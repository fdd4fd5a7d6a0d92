import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { execTool } from '../../../src/agent/tools/exec.ts'
import { isDenied } from '../../../src/agent/tools/result.ts'
import { workspaceFiles } from '../../../src/store/workspace-files.ts'
import { lazyHttp } from '../../../src/world/lazy-http.ts'
import { nodeWorld } from '../../../src/world/node-world.ts'
import { nodeSpawn } from '../../../src/world/node-spawn.ts'
import { bypasses } from '../../core/exec-cases.ts'
import { tempDir } from '../../temp-dir.ts'

interface Setup {
  allow?: string[]
  timeoutMs?: number
  shownChars?: number
}

function place(t: TestContext, { allow = [], timeoutMs = 20_000, shownChars }: Setup = {}) {
  const root = join(tempDir(t), 'ws')
  const cwd = join(root, 'agents/writer')
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(root, '.env'), 'KEY=canary-secret')
  writeFileSync(join(cwd, 'notes.md'), 'one\ntwo\n')
  const kept: string[] = []
  const files = workspaceFiles({
    world: nodeWorld({ http: lazyHttp({}) }),
    root,
    agent: 'writer',
    recordWrite: () => undefined,
  })
  const tool = execTool({
    spawn: nodeSpawn,
    policy: { security: 'allowlist', allow },
    files,
    root,
    agent: 'writer',
    cwd,
    host: { path: `${cwd}:.:${process.env['PATH'] ?? ''}`, home: root },
    timeoutMs,
    maxBytes: 1_000_000,
    ...(shownChars !== undefined && { shownChars }),
    offload: text => {
      kept.push(text)
      return `.claw/blobs/${kept.length}`
    },
  })
  const run = (args: Record<string, unknown>) =>
    tool.run(args, {
      signal: new AbortController().signal,
      call: { type: 'toolCall', id: 'c', name: 'exec', arguments: args },
    })
  return { root, cwd, run, kept }
}

test('an allowed program runs in the folder of the agent with exactly the words given', async t => {
  const { run } = place(t, { allow: ['cat', 'printf'] })
  assert.equal((await run({ command: 'cat notes.md' })).text, 'one\ntwo')
  assert.equal((await run({ argv: ['printf', '%s|', 'a b', '$(id)', '*'] })).text, 'a b|$(id)|*|')
  assert.equal((await run({ command: 'cat notes.md' })).provenance, 'program')
})

test('no secret of the host is in the environment, and no folder of the workspace in PATH', async t => {
  const { run, cwd } = place(t, { allow: ['env'] })
  process.env['CLAW_TEST_SECRET'] = 'x'
  t.after(() => delete process.env['CLAW_TEST_SECRET'])
  const { text } = await run({ command: 'env' })
  const names = text.split('\n').map(line => line.split('=')[0])
  assert.deepEqual(names.filter(name => !name?.startsWith('GIT_')).sort(), [
    'CLAW_SHELL',
    'HOME',
    'LANG',
    'PATH',
  ])
  assert.ok(!text.includes(`${cwd}:`) && !/PATH=.*(^|:)\.(:|$)/m.test(text))
})

test('refusals are denials with their own reason and start nothing', async t => {
  const { run, cwd } = place(t, { allow: ['touch', 'cat', 'ls'] })
  const reasons: [Record<string, unknown>, string][] = [
    [{ command: 'touch a | cat' }, 'pipe'],
    [{ command: 'touch a\ntouch b' }, 'newline'],
    [{ command: 'rm a' }, 'not-listed'],
    [{ command: 'cat ../../.env' }, 'secret'],
    [{ argv: ['touch', 'SOUL.md'] }, 'protected'],
    [{ argv: ['cat', '/etc/passwd'] }, 'outside'],
  ]
  for (const [args, reason] of reasons) {
    const result = await run(args)
    assert.ok(isDenied(result), JSON.stringify(args))
    assert.equal(result.details?.['reason'], reason)
  }
  assert.ok(!existsSync(join(cwd, 'a')) && !existsSync(join(cwd, 'SOUL.md')))
  assert.ok(!isDenied(await run({})))
})

test('an operand that is a link is judged by where it leads', async t => {
  const { run, cwd, root } = place(t, { allow: ['cat'] })
  symlinkSync('/etc', join(cwd, 'etc'))
  symlinkSync('../../.env', join(cwd, 'harmless.md'))
  symlinkSync(root, join(cwd, 'all'))
  for (const path of ['etc/hostname', 'harmless.md', 'all/.env']) {
    const result = await run({ command: `cat ${path}` })
    assert.ok(isDenied(result), path)
    assert.ok(!result.text.includes('canary'))
  }
})

test('every bypass of the table, really handed to exec, leaves canary and folder as they were', async t => {
  const { run, cwd, root } = place(t, {
    allow: ['git status', 'ls', 'cat', 'grep', 'find', 'sed', 'sort', 'echo', 'head', 'tail', 'wc', 'diff'],
  })
  writeFileSync(join(cwd, 'SOUL.md'), 'soul')
  for (const command of Object.values(bypasses).flat()) {
    const result = await run({ command })
    assert.ok(!result.text.includes('canary-secret'), command)
  }
  assert.equal(readFileSync(join(cwd, 'SOUL.md'), 'utf8'), 'soul')
  assert.equal(readFileSync(join(root, '.env'), 'utf8'), 'KEY=canary-secret')
})

test('a shell, the broken twin, shows the canary', t => {
  const { cwd } = place(t)
  assert.match(execFileSync('/bin/sh', ['-c', 'ls; cat ../../.en?'], { cwd }).toString(), /canary-secret/)
})

test('a long output is cut with its sizes and kept whole elsewhere', async t => {
  const { run, cwd, kept } = place(t, { allow: ['cat'], shownChars: 2000 })
  writeFileSync(join(cwd, 'long.txt'), Array.from({ length: 2000 }, (_, index) => `line ${index}`).join('\n'))
  const { text, details } = await run({ command: 'cat long.txt' })
  assert.ok(text.length < 2400)
  assert.match(text, /^line 0\n/)
  assert.match(text, /line 1999$/)
  assert.match(
    text,
    /\[\.\.\. cut: the first 1400 and the last 600 of 18889 characters are shown \(stdout 18889 bytes, stderr 0 bytes\); full text: \.claw\/blobs\/1 \.\.\.\]/,
  )
  assert.equal(kept[0]?.length, 18889)
  assert.equal(details?.['isCut'], true)
})

test('a failing, a missing and a slow program each say what is known', async t => {
  const { run } = place(t, { allow: ['cat', 'sleep', 'no-such-program'], timeoutMs: 100 })
  const failed = await run({ command: 'cat absent' })
  assert.ok(failed.isError && /exit code 1[\s\S]*absent/.test(failed.text))
  assert.match((await run({ command: 'no-such-program' })).text, /could not be started/)
  const slow = await run({ command: 'sleep 30' })
  assert.ok(slow.isError && !isDenied(slow))
  assert.match(slow.text, /outcome unknown, check first/)
})

test('a folder that an agent made to look like a repository runs nothing through git', async t => {
  const { run, cwd, root } = place(t, { allow: ['git status'] })
  execFileSync('git', ['init', '-q', root])
  execFileSync('git', ['init', '-q', '--bare', join(cwd, 'fake')])
  const canary = join(root, 'ran')
  mkdirSync(join(cwd, 'tree'))
  for (const name of ['HEAD', 'config', 'objects', 'refs'])
    execFileSync('mv', [join(cwd, 'fake', name), join(cwd, name)])
  writeFileSync(
    join(cwd, 'config'),
    `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = tree\n\tfsmonitor = "touch ${canary}; false"\n`,
  )
  await run({ command: 'git status' })
  assert.ok(!existsSync(canary))
  // The same without the environment of exec, the broken twin.
  execFileSync('sh', ['-c', 'git status || true'], {
    cwd,
    stdio: 'ignore',
    env: { PATH: process.env['PATH'] ?? '', HOME: root },
  })
  assert.ok(existsSync(canary))
})
