import assert from 'node:assert/strict'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { useModel, withModel } from './model-rig.ts'
import { claw, clawJson, digest, digestJob, edit, readIn, workspace } from './rig.ts'

const slot = [...digest, '--slot', 'auto']

function asNotepad(root: string, path: string): void {
  writeFileSync(join(root, path), `\uFEFF${readIn(root, path).replaceAll('\n', '\r\n')}`)
}

test('files with a byte order mark and CRLF work like any other and are left as they are', async t => {
  const root = await workspace(t)
  const files = [
    'claw.yaml',
    digestJob,
    'sources/sample.yaml',
    'agents/ainews/SOUL.md',
    'agents/ainews/MEMORY.md',
  ]
  const [plain] = await clawJson<{ system: string; user: string }>([...digest, '--dry-run'], { cwd: root })
  for (const path of files) asNotepad(root, path)
  const before = files.map(path => readIn(root, path))
  const [same] = await clawJson<{ system: string; user: string }>([...digest, '--dry-run'], { cwd: root })
  assert.equal(same.system, plain.system)
  assert.equal(same.user, plain.user)
  const { code, err } = await claw(slot, { cwd: root })
  assert.equal(code, 0, err)
  assert.deepEqual(
    files.map(path => readIn(root, path)),
    before,
  )
})

test('a misspelt key is found at its place in a file with CRLF and a byte order mark', async t => {
  const root = await workspace(t)
  edit(root, digestJob, 'overlap: skip', 'overlp: skip')
  asNotepad(root, digestJob)
  const { code, err } = await claw(slot, { cwd: root })
  assert.equal(code, 2)
  assert.match(err, /morning-digest\.md:9:1: unknown key `overlp`/)
})

test('conflict markers in MEMORY.md are named with their line, by the run and by doctor', async t => {
  const root = await workspace(t)
  appendFileSync(
    join(root, 'agents/ainews/MEMORY.md'),
    '\n<<<<<<< HEAD\n- mine\n=======\n- theirs\n>>>>>>> other\n',
  )
  const line = readIn(root, 'agents/ainews/MEMORY.md').split('\n').indexOf('<<<<<<< HEAD') + 1
  const run = await claw([...digest, '--quiet'], { cwd: root })
  assert.equal(run.code, 0)
  assert.match(run.err, new RegExp(`MEMORY\\.md.*${line}`))
  const doctor = await claw(['doctor'], { cwd: root })
  assert.match(doctor.out, new RegExp(`MEMORY\\.md:?.*\\b${line}\\b`))
})

test('a SOUL.md that is too long is cut with a mark in the prompt, on stderr and in doctor', async t => {
  const root = await workspace(t)
  const lines = Array.from({ length: 3000 }, (_, index) => `Rule ${index}: keep to the facts.`)
  appendFileSync(join(root, 'agents/ainews/SOUL.md'), lines.join('\n'))
  const [plan, { err }] = await clawJson<{
    system: string
    parts: { name: string; state: string; rawChars: number; chars: number }[]
  }>([...digest, '--dry-run'], { cwd: root })
  const soul = plan.parts.find(({ name }) => name === 'SOUL.md')!
  assert.ok(soul.rawChars > 20_000 && soul.chars <= 20_000 && soul.state !== 'ok', JSON.stringify(soul))
  assert.match(plan.system, /Rule 0: [^]*(cut|left out|omitted|truncated)[^]*Rule 2999: /)
  assert.match(err, /warning: .*SOUL\.md/)
  assert.match((await claw([...digest, '--quiet'], { cwd: root })).err, /warning: .*SOUL\.md/)
  assert.match((await claw(['doctor'], { cwd: root })).out, /SOUL\.md/)
  assert.match(
    (await claw(['context', 'list', 'ainews', 'morning-digest'], { cwd: root })).out,
    /SOUL\.md +\d+ +\d+ of \d+ +(?!ok)/,
  )
})

for (const [name, env] of [
  ['CRLF', 'OTHER=1\r\nMOCK_KEY=sk-abc123def456ghi789\r\n'],
  ['double quotes', 'MOCK_KEY="sk-abc123def456ghi789"\n'],
  ['single quotes and a comment behind', "MOCK_KEY='sk-abc123def456ghi789' # from the console\n"],
  ['comments, blank lines and export', '# keys\n\nexport MOCK_KEY=sk-abc123def456ghi789\n'],
  ['a byte order mark', '\uFEFFMOCK_KEY=sk-abc123def456ghi789\n'],
] as const) {
  test(`.env with ${name} gives the key`, async t => {
    const { root } = await withModel(t, () => ({ text: 'ready' }))
    writeFileSync(join(root, '.env'), env)
    const [tests, { code, err }] = await clawJson<{ ok: boolean; detail: string }[]>(['models', 'test'], {
      cwd: root,
    })
    assert.deepEqual([code, tests[0]!.ok], [0, true], err + tests[0]!.detail)
  })
}

test('.env of the wrong name helps nobody, and the environment goes over .env', async t => {
  const root = await workspace(t)
  useModel(root, 'http://127.0.0.1:9/v1')
  writeFileSync(join(root, '.env'), 'MOCK_KEYS=x\n')
  const { out } = await claw(['models', 'list'], { cwd: root })
  assert.match(out, /mock\/m .*\$\{MOCK_KEY\} is not set/)
  const given = await claw(['models', 'list'], { cwd: root, env: { MOCK_KEY: 'y' } })
  assert.match(given.out, /mock\/m .*set$/m)
})
