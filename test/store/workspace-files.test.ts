import assert from 'node:assert/strict'
import { linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execFileSync } from 'node:child_process'
import { test, type TestContext } from 'node:test'
import type { FileOps } from '../../src/core/file-ops.ts'
import { workspaceFiles, type WriteNotice } from '../../src/store/workspace-files.ts'
import { lazyHttp } from '../../src/world/lazy-http.ts'
import { nodeWorld } from '../../src/world/node-world.ts'
import { tempDir } from '../temp-dir.ts'

interface Place {
  root: string
  outside: string
  files: FileOps
  notices: WriteNotice[]
}

function place(t: TestContext): Place {
  const top = tempDir(t)
  const [root, outside] = [join(top, 'ws'), join(top, 'outside')]
  for (const folder of [
    'agents/writer/memory',
    'agents/writer/jobs',
    'agents/other',
    'shared-context/intel',
    '.claw',
    'skills',
  ]) {
    mkdirSync(join(root, folder), { recursive: true })
  }
  mkdirSync(outside)
  const texts = {
    'agents/writer/SOUL.md': 'soul',
    'agents/writer/notes.md': 'one\ntwo\n',
    'agents/other/x.md': 'other',
    '.env': 'KEY=1',
    'claw.yaml': 'team: x',
    'skills/a.md': 'skill',
    'shared-context/intel/a.md': 'intel',
  }
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(root, path), text)
  writeFileSync(join(outside, 'secret.md'), 'outside')
  const notices: WriteNotice[] = []
  const world = nodeWorld({ http: lazyHttp({}) })
  const files = workspaceFiles({ world, root, agent: 'writer', recordWrite: notice => notices.push(notice) })
  return { root, outside, files, notices }
}

function reason(result: { kind: string; reason?: string }): string {
  return result.kind === 'refused' ? `refused: ${result.reason}` : result.kind
}

test('own files are found from the own folder and from the workspace, the rest of the workspace to read', async t => {
  const { files } = place(t)
  const texts = [
    'notes.md',
    './notes.md',
    'agents/writer/notes.md',
    'skills/a.md',
    'shared-context/intel/a.md',
    'agents/other/x.md',
    'SOUL.md',
  ]
  for (const path of texts) assert.equal(reason(files.read(path, 'own')), 'text', path)
  assert.equal(reason(files.read('memory', 'own')), 'folder')
  assert.equal(reason(files.read('nothing.md', 'own')), 'refused: absent')
  assert.equal(reason(files.read('intel/a.md', 'shared')), 'text')
  assert.equal(reason(files.read('.', 'own')), 'folder')
})

test('a write is told before it happens, with both hashes and the bytes it replaces', async t => {
  const { root, files, notices } = place(t)
  assert.equal(reason(await files.write('deep/er/new.md', 'new', 'own')), 'written')
  assert.equal(reason(await files.write('notes.md', 'changed\n', 'own')), 'written')
  assert.equal(readFileSync(join(root, 'agents/writer/deep/er/new.md'), 'utf8'), 'new')
  assert.deepEqual(
    notices.map(({ path, before }) => [path, before === undefined]),
    [
      ['agents/writer/deep/er/new.md', true],
      ['agents/writer/notes.md', false],
    ],
  )
  assert.equal(Buffer.from(notices[1]?.bytesBefore ?? []).toString(), 'one\ntwo\n')
  assert.equal(statSync(join(root, 'agents/writer/deep/er/new.md')).mode & 0o077, 0)
})

test('nothing is written when telling fails', async t => {
  const { root } = place(t)
  const world = nodeWorld({ http: lazyHttp({}) })
  const files = workspaceFiles({
    world,
    root,
    agent: 'writer',
    recordWrite: () => assert.fail('no room for the old text'),
  })
  await assert.rejects(async () => files.write('notes.md', 'x', 'own'), /no room/)
  assert.equal(readFileSync(join(root, 'agents/writer/notes.md'), 'utf8'), 'one\ntwo\n')
})

const refusedWrites: [string, string][] = [
  ['SOUL.md', 'protected'],
  ['soul.md', 'protected'],
  ['agents/writer/SOUL.md', 'protected'],
  ['jobs/a.md', 'protected'],
  ['hooks/a/HOOK.md', 'protected'],
  ['claw.yaml', 'protected'],
  ['approvals/a.md', 'protected'],
  ['.claw/x', 'secret'],
  ['.git/config', 'secret'],
  ['sub/.git/config', 'secret'],
  ['.env', 'secret'],
  ['.env.local', 'secret'],
  ['.ENV', 'secret'],
  ['ＳＯＵＬ.md', 'protected'],
  ['SOUL.md.', 'protected'],
  ['agents/other/x.md', 'other-agent'],
  ['shared-context/a.md', 'not-own'],
  ['../other/x.md', 'parent'],
  ['a/../../x', 'parent'],
  ['..', 'parent'],
  ['/etc/passwd', 'absolute'],
  ['//x', 'absolute'],
  ['~/x', 'home'],
  ['a\\b', 'backslash'],
  ['C:/x', 'backslash'],
  ['a\u0000b', 'control-character'],
  ['a\nb', 'control-character'],
  ['a\u001b[2J', 'control-character'],
  ['a\u202Eb', 'invisible-character'],
  ['', 'empty'],
  ['  ', 'empty'],
  [`${'n'.repeat(256)}.md`, 'too-long'],
  ['a/'.repeat(600), 'too-long'],
  ['sessions/a.jsonl', 'ledger'],
  ['agents', 'other-agent'],
  ['memory', 'not-a-file'],
  ['notes.md/x', 'not-a-file'],
  ['SO\u200BUL.md', 'invisible-character'],
]

test('protected, foreign and malformed paths are refused for a write, each with its reason', async t => {
  const { files } = place(t)
  for (const [path, why] of refusedWrites) {
    assert.equal(reason(await files.write(path, 'x', 'own')), `refused: ${why}`, JSON.stringify(path))
    assert.equal((await files.edit(path, { oldText: 'a', newText: 'b' }, 'own')).kind, 'refused', path)
  }
})

test('secrets are refused for a read as well, and shared writes stay in shared-context', async t => {
  const { files } = place(t)
  for (const path of ['.env', '.claw/x', '.git/config', '.envrc', 'agents/writer/.env'])
    assert.equal(reason(files.read(path, 'own')), 'refused: secret', path)
  assert.equal(reason(await files.write('intel/b.md', 'x', 'shared')), 'written')
  assert.equal(reason(await files.write('shared-context/intel/b.md', 'y', 'shared')), 'written')
  for (const path of [
    'agent-runs/a/x.jsonl',
    'job-status/a.json',
    'monitor-tasks/tasks.jsonl',
    'Status/a.json',
  ])
    assert.equal(reason(await files.write(path, 'x', 'shared')), 'refused: ledger', path)
  assert.equal(reason(await files.write('../agents/x', 'x', 'shared')), 'refused: parent')
  assert.equal(reason(files.read('../.env', 'shared')), 'refused: parent')
})

test('links lead nowhere they should not', async t => {
  const { root, outside, files } = place(t)
  const own = join(root, 'agents/writer')
  symlinkSync(join(outside, 'secret.md'), join(own, 'out.md'))
  symlinkSync(outside, join(own, 'outdir'))
  symlinkSync(join(outside, 'nothing'), join(own, 'dangling.md'))
  symlinkSync(join(root, '.env'), join(own, 'env.md'))
  symlinkSync('SOUL.md', join(own, 'soul-link.md'))
  symlinkSync('../other', join(own, 'peer'))
  symlinkSync('notes.md', join(own, 'inside.md'))
  symlinkSync('loop2', join(own, 'loop1'))
  symlinkSync('loop1', join(own, 'loop2'))
  const reads: [string, string][] = [
    ['out.md', 'refused: outside'],
    ['outdir/secret.md', 'refused: outside'],
    ['dangling.md', 'refused: dangling-link'],
    ['env.md', 'refused: secret'],
    ['inside.md', 'text'],
    ['soul-link.md', 'text'],
  ]
  for (const [path, expected] of reads) assert.equal(reason(files.read(path, 'own')), expected, path)
  const writes: [string, string][] = [
    ['out.md', 'refused: outside'],
    ['outdir/new.md', 'refused: outside'],
    ['dangling.md', 'refused: dangling-link'],
    ['env.md', 'refused: secret'],
    ['soul-link.md', 'refused: protected'],
    ['peer/x.md', 'refused: other-agent'],
    ['inside.md', 'written'],
  ]
  for (const [path, expected] of writes)
    assert.equal(reason(await files.write(path, 'new', 'own')), expected, path)
  assert.equal(files.read('loop1', 'own').kind, 'refused')
  assert.equal(readFileSync(join(own, 'notes.md'), 'utf8'), 'new')
  assert.equal(readFileSync(join(outside, 'secret.md'), 'utf8'), 'outside')
  assert.equal(files.checkReal('agents/writer/outdir/secret.md')?.reason, 'outside')
  assert.equal(files.checkReal('agents/writer/notes.md'), undefined)
})

test('a check of the name alone, the broken twin, follows the link out', async t => {
  const { root, outside } = place(t)
  symlinkSync(outside, join(root, 'agents/writer/outdir'))
  const twin = (path: string): string =>
    path.includes('..') || path.startsWith('/') ? '' : readFileSync(join(root, 'agents/writer', path), 'utf8')
  assert.equal(twin('outdir/secret.md'), 'outside')
})

test('a hard link to the outside keeps its content when the name inside is written', async t => {
  const { root, outside, files } = place(t)
  linkSync(join(outside, 'secret.md'), join(root, 'agents/writer/hard.md'))
  assert.equal(reason(await files.write('hard.md', 'mine', 'own')), 'written')
  assert.equal(readFileSync(join(outside, 'secret.md'), 'utf8'), 'outside')
})

test('special files are refused without opening them', async t => {
  const { root, files } = place(t)
  execFileSync('mkfifo', [join(root, 'agents/writer/pipe')])
  assert.equal(reason(files.read('pipe', 'own')), 'refused: special')
  assert.equal(reason(await files.write('pipe', 'x', 'own')), 'refused: special')
})

test('a name is found in whatever Unicode form it is on disk', async t => {
  const { root, files } = place(t)
  writeFileSync(join(root, 'agents/writer', 'u\u0308ber.md'), 'nfd')
  writeFileSync(join(root, 'agents/writer', '\u00e9t\u00e9.md'), 'nfc')
  assert.equal(reason(files.read('\u00fcber.md', 'own')), 'text')
  assert.equal(reason(files.read('e\u0301te\u0301.md', 'own')), 'text')
  assert.equal(reason(await files.write('\u00fcber.md', 'still one', 'own')), 'written')
  assert.equal(readFileSync(join(root, 'agents/writer', 'u\u0308ber.md'), 'utf8'), 'still one')
})

test('an edit needs the exact text once, keeps line ends and mark, and refuses what is no text', async t => {
  const { root, files } = place(t)
  const own = join(root, 'agents/writer')
  assert.equal(reason(await files.edit('notes.md', { oldText: 'two', newText: '2' }, 'own')), 'written')
  assert.equal(
    reason(await files.edit('notes.md', { oldText: 'absent', newText: '2' }, 'own')),
    'refused: not-found',
  )
  writeFileSync(join(own, 'twice.md'), '\uFEFFa\r\nb\r\na\r\n')
  assert.equal(
    reason(await files.edit('twice.md', { oldText: 'a', newText: 'c' }, 'own')),
    'refused: not-unique',
  )
  assert.equal(reason(await files.edit('twice.md', { oldText: 'a\nb', newText: 'x\ny' }, 'own')), 'written')
  assert.equal(readFileSync(join(own, 'twice.md'), 'utf8'), '\uFEFFx\r\ny\r\na\r\n')
  assert.equal(
    reason(await files.edit('twice.md', { oldText: '\n', newText: ';', replaceAll: true }, 'own')),
    'written',
  )
  writeFileSync(join(own, 'bad.md'), Buffer.from([0x61, 0xff, 0x62]))
  assert.equal(reason(await files.edit('bad.md', { oldText: 'a', newText: 'b' }, 'own')), 'refused: binary')
  assert.equal(
    reason(await files.edit('notes.md', { oldText: '$&', newText: '$1' }, 'own')),
    'refused: not-found',
  )
})

test('masks are not written over secrets and MEMORY.md does not lose half of itself', async t => {
  const { root, files } = place(t)
  writeFileSync(join(root, 'agents/writer/MEMORY.md'), 'fact\n'.repeat(100))
  assert.equal(reason(await files.write('notes.md', 'key: [masked:openai]', 'own')), 'refused: masked')
  assert.equal(
    reason(await files.edit('notes.md', { oldText: 'one', newText: '[masked:secret]' }, 'own')),
    'refused: masked',
  )
  assert.equal(reason(await files.write('MEMORY.md', 'fact\n'.repeat(40), 'own')), 'refused: shrink')
  assert.equal(reason(await files.write('MEMORY.md', 'fact\n'.repeat(60), 'own')), 'written')
  assert.equal(reason(await files.write('notes.md', 'x', 'own')), 'written')
})

test('what a person saves while a tool edits the same file is there afterwards, and so is the edit', async t => {
  const { root, files } = place(t)
  const path = join(root, 'agents/writer/notes.md')
  const editing = files.edit('notes.md', { oldText: 'two', newText: 'two, edited' }, 'own')
  writeFileSync(path, 'one\ntwo\nby a person\n')
  assert.equal(reason(await editing), 'written')
  assert.equal(readFileSync(path, 'utf8'), 'one\ntwo, edited\nby a person\n')
})
